/** Tests that take minutes, or install and build: packing, other runtimes, the API's documentation, long series of kills and faults. */
import fast from './ava.config.js';

export default {...fast, files: ['test/slow/**/*.test.ts']};
