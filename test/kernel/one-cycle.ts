/**
 * Runs one golden cycle with the kernel that this process selects, and prints the outcome.
 *
 * Arguments: the requested kernel, and the feature that this process lacks. The feature is removed
 * here and not before, because Node itself needs WebAssembly to read TypeScript.
 */
import {reasonOf} from '../../src/platform/errors.ts';
import type {KernelName} from '../../src/kernel/kernel.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import {measureDissonance} from '../../src/semiosis/dissonance.ts';
import {read, stateNamed, vector, worst} from '../golden/read.ts';

type Case = {state: string; input: number; expect: {scores: number[]}};

const refuse = () => {
	throw new TypeError('SIMD is missing');
};

const remove: Record<string, () => void> = {
	nothing() {},
	simd() {
		const {validate} = WebAssembly;
		Object.assign(
			WebAssembly, {validate: (bytes: Uint8Array) => !bytes.includes(0xFD) && validate(bytes), Module: refuse, Instance: refuse},
		);
	},
	webassembly() {
		Reflect.deleteProperty(globalThis, 'WebAssembly');
	},
};

const outcome = () => {
	try {
		remove[process.argv[3]!]!();
		const kernel = selectKernel(process.argv[2] as KernelName);
		const [{state, input, expect}] = read<{cases: [Case]}>('cycles.json').cases;
		const {scores} = measureDissonance(kernel, stateNamed(state).rows, vector(input));
		return {kernel: kernel.name, right: worst(scores, expect.scores) <= 2e-6};
	} catch (error) {
		return {message: reasonOf(error)};
	}
};

process.stdout.write(JSON.stringify(outcome()));
