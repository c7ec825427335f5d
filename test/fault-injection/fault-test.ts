/** Tests that inject faults. If that is impossible, they are skipped, and their titles say why; in CI they are never skipped. */
import test, {type ImplementationFn} from 'ava';
import {whyNoFaults} from './shim.ts';

export const faultTest = (title: string, implementation: ImplementationFn<[]>): void => {
	if (whyNoFaults !== null && process.env['CI'] === undefined) {
		test.skip(`${title} (${whyNoFaults})`, implementation);
	} else {
		test(title, implementation);
	}
};
