/**
 * Chooses the fastest way to compute the model on this host. All ways give the same bits, so the
 * choice may rest on timing.
 */
import {createForward, byteDense, wordDense, type Forward} from './graph.ts';
import {createJsEncoderKernel} from './js-kernel.ts';
import type {SharedWeights} from './weights.ts';
import {plainModule, relaxedModule} from './kernel.ts';

export const chooseForward = (weights: SharedWeights, slot: number): Forward => {
	const {memory, buffer} = weights;
	if (memory === null) {
		const kernel = createJsEncoderKernel(buffer);
		return createForward(weights, slot, kernel, wordDense(weights, slot, kernel));
	}

	if (!relaxedModule.isSupported) {
		const kernel = plainModule.instantiate(memory);
		return createForward(weights, slot, kernel, wordDense(weights, slot, kernel));
	}

	const kernel = relaxedModule.instantiate(memory);
	return faster(
		createForward(weights, slot, kernel, byteDense(weights, slot, kernel)),
		createForward(weights, slot, kernel, wordDense(weights, slot, kernel)),
	);
};

/** How often each is timed, after as many texts that compile it. */
const rounds = 16;

/** Takes turns until the times show which is faster; the least time of each counts, as it is the least disturbed. */
const faster = (...ways: [Forward, Forward]): Forward => {
	let calls = 0;
	const least = [Infinity, Infinity] as [number, number];
	return tokens => {
		if (calls >= 4 * rounds) {
			return ways[least[0] <= least[1] ? 0 : 1](tokens);
		}

		const way = calls % 2 as 0 | 1;
		const began = performance.now();
		const vector = ways[way](tokens);
		if (calls >= 2 * rounds && tokens.length > 0) {
			least[way] = Math.min(least[way], (performance.now() - began) / tokens.length);
		}

		calls++;
		return vector;
	};
};
