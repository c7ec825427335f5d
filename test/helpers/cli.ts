/**
 * The command `processual`, for tests and benchmarks that start it: as `npm run build` made it, which
 * starts with a quarter less processor time; or the sources where they are newer.
 */
import path from 'node:path';
import {isBuilt, root} from './built-package.ts';

/** Its file, to be run by Node. */
export const cli: string = path.join(root, await isBuilt() ? 'dist/cli.js' : 'src/cli.ts');
