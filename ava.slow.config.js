/** Tests that take minutes, or install and build: packing, other runtimes, the API's documentation, pages in a browser, long series of kills, faults and requests. */
import fast, {slow} from './ava.config.js';

export default {...fast, files: slow};
