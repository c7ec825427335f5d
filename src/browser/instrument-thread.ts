/** Replaces `past/instrument-thread.ts` where a bundler builds for a page or a worker (`imports` in package.json): there is no thread. */
export {runHere as runJob} from '../past/run-here.ts';
