/** Series of two lengths: every run makes the short one, and `npm run test:long` the long one of the same claim. */
export const isLongRun = process.env['TEST_LENGTH'] === 'long';

/** How often something is tried in this run. */
export const often = (inEveryRun: number, inLongRun: number): number => isLongRun ? inLongRun : inEveryRun;
