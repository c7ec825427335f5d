/**
 * simsimd with a call for each product of two vectors, and TypeScript for the steps between them.
 * The steps are the same as ours, so no product is superfluous.
 */
import {createRequire} from 'node:module';
import {angularDistance} from '../../../src/kernel/dot.ts';
import {topK} from '../../../src/kernel/top-k.ts';
import type {Work} from './lines.ts';
import {best, limit, pull, type Scene} from './scene.ts';

type Simsimd = Record<'dot' | 'sqeuclidean', (a: Float32Array, b: Float32Array) => number>;

/** Not a dependency: install it for this comparison. */
export const library: string = 'simsimd';

export const withSimsimd = ({start, reference, inputs, directions, many}: Scene): Work => {
	// An import would load its slow substitute in JavaScript, even if there is a native build.
	const {dot, sqeuclidean: squaredGap} = createRequire(import.meta.url)(library) as Simsimd;
	const norm = (row: Float32Array): number => Math.sqrt(dot(row, row));
	const firstNorms = start.rows.map(norm);
	const referenceNorms = reference.rows.map(norm);
	const manyNorms = many.map(norm);
	const first = start.rows.map((row, d) => angularDistance(squaredGap(row, reference.rows[d]!), firstNorms[d]!, referenceNorms[d]!));

	const cycles = (count: number) => {
		const rows = [...start.rows];
		const norms = [...firstNorms];
		const distances = [...first];
		const {secondness: cs, thirdness: ct, valeurs: cv} = pull;
		const ce = cs + ct + cv;
		let drift = 0;
		let cosines: number[] = [];
		let gaps: number[] = [];
		for (let i = 0; i < count; i++) {
			const e = inputs[i % inputs.length]!;
			const [s, t, v] = [rows[1]!, rows[2]!, rows[7]!];
			const dots = rows.map(row => dot(e, row));
			const ee = dot(e, e);
			const length = Math.sqrt(ee);
			cosines = dots.map((product, d) => product / (length * norms[d]!));
			gaps = [1, 2, 7].map(d => Math.sqrt(ee - 2 * dots[d]! + norms[d]! ** 2));
			const [ts, tv] = [dot(t, s), dot(t, v)];
			const sv = cs === 0 || cv === 0 ? 0 : dot(s, v);
			const tt = norms[2]! ** 2;
			const squares = ce ** 2 * ee - 2 * ce * (cs * dots[1]! + ct * dots[2]! + cv * dots[7]!)
				+ (cs * norms[1]!) ** 2 + ct ** 2 * tt + (cv * norms[7]!) ** 2 + 2 * (cs * ct * ts + cs * cv * sv + ct * cv * tv);
			const along = ce * dots[2]! - cs * ts - ct * tt - cv * tv;
			const magnitude = Math.sqrt(squares);
			const cut = magnitude > limit ? limit / magnitude : 1;
			const inverse = 1 / Math.sqrt(tt + 2 * cut * along + cut ** 2 * squares);
			const scale = cut * inverse;
			const [ofInput, ofSecond, ofThird, ofValues] = [scale * ce, -scale * cs, inverse - scale * ct, -scale * cv];
			const row = new Float32Array(1024);
			for (let j = 0; j < 1024; j++) {
				row[j] = ofThird * t[j]! + ofInput * e[j]! + ofSecond * s[j]! + ofValues * v[j]!;
			}

			drift += Math.sqrt(squaredGap(row, t) / norms.reduce((sum, one) => sum + one ** 2, 0));
			rows[2] = row;
			norms[2] = norm(row);
			distances[2] = angularDistance(squaredGap(row, reference.rows[2]!), norms[2], referenceNorms[2]!);
		}

		return {thirdness: rows[2]!, cosines, gaps, distances, drift};
	};

	const profile = () => [start, reference].map(({rows}) => Float64Array.from(directions.vectors, (vector, i) => dot(rows[directions.rows[i]!]!, vector)));

	const nearest = (e: Float32Array) => {
		const length = norm(e);
		return topK(Float64Array.from(many, (vector, i) => dot(e, vector) / (length * manyNorms[i]!)), best);
	};

	return {
		runs: {
			cycle: cycles,
			profile(count) {
				for (let i = 0; i < count; i++) {
					profile();
				}
			},
			nearest(count) {
				for (let i = 0; i < count; i++) {
					nearest(inputs[i % inputs.length]!);
				}
			},
		},
		results() {
			const found = nearest(inputs[0]!);
			return {...cycles(100), profile: profile().flatMap(values => [...values]), places: found.map(({place}) => place), near: found.map(({cosine}) => cosine)};
		},
	};
};
