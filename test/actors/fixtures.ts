/** An identity in memory for tests, with a fake encoder, a simulated clock and seeded randomness. */
import {SimulatedClock} from 'xstate';
import {createIdentity} from '../../src/identity/create-identity.ts';
import type {IdentityOptions} from '../../src/identity/options.ts';
import type {Encoder} from '../../src/embedding/encoder.ts';
import {mulberry32, timestampOf} from '../../src/platform/clock.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {normalise} from '../../src/kernel/normalise.ts';

export {mulberry32};

/** A unit vector that depends on the text alone. */
export const vectorOf = (text: string): Float32Array => fillVector(text, 1024);

/** A unit vector that depends on the text; components from `width` on are 0. */
export const fillVector = (text: string, width: number): Float32Array => {
	const random = mulberry32([...text].reduce((hash, letter) => Math.imul(hash ^ letter.codePointAt(0)!, 0x01_00_01_93), 0x81_1C_9D_C5));
	const vector = new Float32Array(1024);
	for (let i = 0; i < width; i++) {
		vector[i] = random() - 0.5;
	}

	return normalise(vector);
};

/** A direction for a profile. */
export const joy = {name: 'joy', category: 'affective', polePositive: 'joyful', poleNegative: 'sad', vector: vectorOf('a direction')};

/** An encoder without a model. It answers at once, unless a text is held or made to fail. */
export class FakeEncoder implements Encoder {
	readonly passport;
	readonly asked: string[] = [];
	disposed = false;
	readonly #held = new Map<string, PromiseWithResolvers<void>>();
	readonly #failing = new Map<string, Error>();

	/** @param width a small one for measurements whose time grows with its third power */
	constructor(width = 1024) {
		this.passport = {model: 'fake', width, pooling: 'none', prefix: '', dtype: 'fp32'};
	}

	async embed(text: string, signal?: AbortSignal): Promise<Float32Array> {
		this.asked.push(text);
		const held = this.#held.get(text);
		if (held) {
			signal?.addEventListener('abort', () => {
				held.reject(signal.reason);
			});
			await held.promise;
		}

		const failure = this.#failing.get(text);
		if (failure) {
			throw failure;
		}

		return fillVector(text, this.passport.width);
	}

	hold(text: string): PromiseWithResolvers<void> {
		const held = Promise.withResolvers<void>();
		this.#held.set(text, held);
		return held;
	}

	fail(text: string, error: Error): void {
		this.#failing.set(text, error);
	}

	async dispose(): Promise<void> {
		this.disposed = true;
	}
}

/** A started identity whose time moves only by `clock.increment`. */
export const startIdentity = async (options: Partial<IdentityOptions> = {}) => {
	const clock = new SimulatedClock();
	const encoder = new FakeEncoder();
	let ids = 0;
	const time = {now: () => Date.UTC(2026, 0, 1) + clock.now(), elapsed: () => clock.now()};
	const random = mulberry32(7);
	const identity = createIdentity({
		encoder: async () => encoder,
		themes: {rumination: ['r0', 'r1'], corpus: ['c0', 'c1']},
		clock,
		time,
		random,
		initialState: async () => randomState(random, timestampOf(time)),
		newId: () => `${++ids}`,
		...options,
	});
	await identity.ready();
	return {identity, encoder, clock};
};

/** Waits until the microtask queue is empty. */
export const settle = async (): Promise<void> => new Promise(resolve => {
	setImmediate(resolve);
});
