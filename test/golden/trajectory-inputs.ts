/** The inputs of the golden trajectory, made as `README.md` beside this file says: IEEE doubles, in the order written. */
import type {Rows} from '../../src/kernel/state-tensor.ts';
import {indexOf} from '../../src/kernel/dimensions.ts';
import {unit as normalised} from './read.ts';

const seedOf = (label: string): number => {
	let hash = 0x81_1C_9D_C5;
	for (const byte of new TextEncoder().encode(label)) {
		hash = Math.imul(hash ^ byte, 0x01_00_01_93) >>> 0;
	}

	return hash;
};

const mulberry32 = (seed: number) => (): number => {
	seed = (seed + 0x6D_2B_79_F5) | 0;
	let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
	t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
	return (t ^ (t >>> 14)) >>> 0;
};

const unit = (label: string): Float64Array => {
	const next = mulberry32(seedOf(label));
	const v = new Float64Array(1024);
	let squares = 0;
	for (let i = 0; i < 1024; i++) {
		v[i] = (next() + next() + next() + next() - 8_589_934_592) / 4_294_967_296;
		squares += v[i]! * v[i]!;
	}

	const norm = Math.sqrt(squares);
	return v.map(value => value / norm);
};

/** The first `count` inputs for a trajectory that starts at these rows. */
export const trajectoryInputs = (start: Rows, count: number): Float32Array[] => {
	const [f, s, t, o, v] = ([
		'firstness', 'secondness', 'thirdness', 'orientations', 'valeurs',
	] as const).map(name => start[indexOf(name)]!) as [Float32Array, Float32Array, Float32Array, Float32Array, Float32Array];
	return Array.from({length: count}, (_, k) => {
		const g = unit(`traj/${k}`);
		switch (k % 10) {
			case 6: {
				return normalised(g.map((x, i) => (0.95 * t[i]!) + (0.3125 * x)));
			}

			case 7: {
				return normalised(g.map((x, i) => (0.5 * (((f[i]! + t[i]!) + o[i]!) + v[i]!)) + (1 * x)));
			}

			case 8: {
				return normalised(g.map((x, i) => (-0.8125 * t[i]!) + (0.5625 * x)));
			}

			case 9: {
				return normalised(g.map((x, i) => (0.875 * s[i]!) + (0.4375 * x)));
			}

			default: {
				return Float32Array.from(g);
			}
		}
	});
};
