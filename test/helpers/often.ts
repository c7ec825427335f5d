/** Repeated tests have two lengths: the short one is in every run, the long one in `npm run test:long`. */
export const isLongRun = process.env['TEST_LENGTH'] === 'long';

/** The number of repetitions in this run. */
export const often = (inEveryRun: number, inLongRun: number): number => isLongRun ? inLongRun : inEveryRun;
