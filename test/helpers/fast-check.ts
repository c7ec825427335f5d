/**
 * fast-check as the tests use it: properties are tried with the same values each time, so that a
 * failure can be reproduced, or with those of PROPERTY_SEED, which `.ci/run` sets. A failure
 * names its seed, even if an assertion of AVA fails first. Only the files with properties
 * import it, since it takes a fifth of a worker's start.
 */
import fc from 'fast-check';

const report = (run: fc.RunDetails<unknown>): void => {
	if (run.failed) {
		console.error(`fast-check failed with PROPERTY_SEED=${run.seed}, path ${run.counterexamplePath}`);
		throw new Error(fc.defaultReportMessage(run), {cause: run.errorInstance});
	}
};

fc.configureGlobal({reporter: report, seed: Number(process.env['PROPERTY_SEED'] ?? 1)});

export * from 'fast-check';
export default fc;
