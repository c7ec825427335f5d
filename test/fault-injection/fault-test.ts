/** Tests that inject faults. Where none can be injected they are skipped, and their titles say why; CI must be able to. */
import test, {type ImplementationFn} from 'ava';
import {whyNoFaults} from './shim.ts';

const isSkipped = whyNoFaults !== null && process.env['CI'] === undefined;

export const faultTest = (title: string, implementation: ImplementationFn<[]>): void => {
	if (isSkipped) {
		test.skip(`${title} (${whyNoFaults})`, implementation);
	} else {
		test(title, implementation);
	}
};

/** As {@link faultTest}, of what the software does not do yet. */
export const failingFaultTest = (title: string, implementation: ImplementationFn<[]>): void => {
	if (isSkipped) {
		test.skip(`${title} (${whyNoFaults})`, implementation);
	} else {
		test.failing(title, implementation);
	}
};
