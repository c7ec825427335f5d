/**
 * The history of an identity in memory, as bits. It uses only the package and nothing of any runtime,
 * so every runtime can run it, and all must give the same bits.
 */
import {createIdentity, dimensions, StateTensor, type Direction, type IdentityOptions, type LocalIdentity} from 'processual-state';
import type {Encoder} from 'processual-state/embedding';
import {selectKernel} from 'processual-state/kernel';

/** Floats of a row. */
const width = 1024;

type KernelName = NonNullable<Parameters<typeof selectKernel>[0]>;

/** Numbers in [0, 1), the same everywhere: multiplications of integers, which no engine rounds. */
export const numbersFrom = (seed: number) => () => {
	seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
	return seed / 2 ** 32;
};

/** Of unit length. Division and square root are exact in IEEE 754; logarithms and cosines differ between engines. */
const unitVector = (next: () => number): Float32Array => {
	const values = new Float64Array(width).map(() => next() - 0.5);
	const norm = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0));
	return new Float32Array(values.map(value => value / norm));
};

/** A text's vector depends on its letters, and on those of the model's name. */
export const encoderOf = (model: string): Encoder => ({
	passport: {model, width, pooling: 'none', prefix: '', dtype: 'fp32'},
	embed: async text => unitVector(
		numbersFrom([...model, ...text].reduce((seed, letter) => Math.imul(seed, 31) + letter.codePointAt(0)!, 7)),
	),
	async dispose() {},
});

export const encoder = encoderOf('letters');

const directions: Direction[] = ['calm', 'trust', 'being', 'patience', 'analysis'].map((name, index) => ({
	name,
	category: ['affective', 'relational', 'philosophical', 'temporal', 'cognitive'][index]!,
	polePositive: name,
	poleNegative: `no ${name}`,
	vector: unitVector(numbersFrom(1000 + index)),
}));

/** The daemon's clock, whose timers fire on demand. */
export const handClock = () => {
	const waiting = new Map<number, () => void>();
	let made = 0;
	return {
		setTimeout(callback: () => void): number {
			waiting.set(++made, callback);
			return made;
		},
		clearTimeout(timer: number): void {
			waiting.delete(timer);
		},
		ring(): void {
			for (const [timer, callback] of waiting) {
				waiting.delete(timer);
				callback();
			}
		},
	};
};

const hexOf = (bytes: ArrayBuffer): string => Array.from(new Uint8Array(bytes), byte => byte.toString(16).padStart(2, '0')).join('');

/** SHA-256 over all the bits of the state. */
export const digestOf = async (identity: LocalIdentity): Promise<string> => {
	const {rows} = identity.actor.getSnapshot().context.state!;
	const bytes = new Float32Array(dimensions.length * width);
	for (const [d, row] of rows.entries()) {
		bytes.set(row, d * width);
	}

	return hexOf(await crypto.subtle.digest('SHA-256', bytes));
};

const thoughts = Array.from({length: 25}, (_, index) => `Thought ${index}: the sea is quiet, ${'and '.repeat(index % 5)}I am calm.`);

export type Journey = {
	/** The name of the kernel. */
	kernel: string;
	/** The state after successive cycles. */
	afterCycles: string;
	/** The state after concurrent cycles. */
	afterMany: string;
	/** The state after cycles of the daemon, and what they were. */
	afterDaemon: string;
	daemon: unknown;
	profile: unknown;
	vigilance: unknown;
	dissonances: number[];
	/** The state after a reset, and after one more cycle. */
	afterReset: string;
	afterAll: string;
};

/** An identity that takes nothing from the runtime, except by its options. */
export const begin = (options: IdentityOptions): LocalIdentity => {
	const next = numbersFrom(1);
	return createIdentity({
		encoder: async () => encoder,
		initialState: async () => new StateTensor(0, '2026-01-01T00:00:00.000Z', dimensions.map(() => unitVector(next))),
		directions: async () => directions,
		person: async () => ({words: 'I walk along the shore.', profile: [['affective', [['calm', 8]]]]}),
		themes: {rumination: ['Who am I?'], corpus: ['The sea.']},
		time: {now: () => Date.UTC(2026, 0, 1), elapsed: () => 0},
		random: numbersFrom(2),
		...options,
	});
};

/** Lets the daemon run this many cycles. */
export const letThink = async (identity: LocalIdentity, clock: ReturnType<typeof handClock>, cycles: number): Promise<void> => {
	identity.daemon.start();
	for (let cycle = 0; cycle < cycles; cycle++) {
		const cycled = new Promise<void>(resolve => {
			const unsubscribe = identity.on('*', ({type}) => {
				if (type === 'cycle.done') {
					unsubscribe();
					resolve();
				}
			});
		});
		clock.ring();
		await cycled;
	}

	identity.daemon.stop();
};

/** Runs the whole history with one kernel. */
export const journey = async (kernelName: KernelName): Promise<Journey> => {
	const clock = handClock();
	const kernel = selectKernel(kernelName);
	const identity = begin({kernel, clock});
	await identity.ready();

	const dissonances: number[] = [];
	for (const content of thoughts) {
		dissonances.push((await identity.cycle({content})).dissonanceTotal);
	}

	const afterCycles = await digestOf(identity);
	await Promise.all(thoughts.map(async content => identity.cycle({content, metadata: {again: true}})));
	const afterMany = await digestOf(identity);

	await letThink(identity, clock, 5);
	const afterDaemon = await digestOf(identity);
	const [daemon, profile, vigilance] = [identity.daemon.status(), identity.profile(), identity.vigilance()];

	await identity.reset();
	const afterReset = await digestOf(identity);
	await identity.cycle({content: 'Let us begin again.'});
	const afterAll = await digestOf(identity);
	await identity.drain();
	await identity.dispose();
	return {kernel: kernel.name, afterCycles, afterMany, afterDaemon, daemon, profile, vigilance, dissonances, afterReset, afterAll};
};
