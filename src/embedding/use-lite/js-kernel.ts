/**
 * The encoder's kernels in TypeScript, for runtimes without WebAssembly or its SIMD: slow, but with the same bits.
 *
 * Each step rounds to float32 in the order of `assembly/encoder`. A sum in lanes there is as many
 * partial sums here.
 */
import {add, relu, type EncoderKernel} from './kernel.ts';

const {fround} = Math;

const lanes = [0, 1, 2, 3] as const;

/** Four floats, added in float64 in the order of `total` in `assembly/vector.ts`. */
const total = (sum: Float32Array): number => (sum[0]! + sum[2]!) + (sum[1]! + sum[3]!);

/** Rounds half to even, as WebAssembly does. */
const nearest = (value: number): number => {
	const rounded = Math.round(value);
	return rounded - value === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
};

/** The exponential of `assembly/encoder/exponential.ts`. */
const exp = (x: number): number => {
	if (!(x >= -80)) {
		return 0;
	}

	const bounded = Math.min(x, 88);
	const n = nearest(fround(bounded * fround(Math.LOG2E)));
	const r = fround(fround(bounded - fround(n * fround(0.693359375))) - fround(n * fround(-2.12194440e-4)));
	let p = fround(1.9875691500e-4);
	for (const coefficient of [1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1]) {
		p = fround(fround(p * r) + fround(coefficient));
	}

	return fround(fround(fround(fround(p * fround(r * r)) + r) + 1) * 2 ** n);
};

/** Typed views of the encoder's memory, for the kernels. */
const viewsOf = (buffer: ArrayBufferLike) => ({
	floats: new Float32Array(buffer), bytes: new Int8Array(buffer), words: new Int16Array(buffer), ids: new Uint16Array(buffer),
});

type Views = ReturnType<typeof viewsOf>;

const finish = (floats: Float32Array, value: number, at: number, mode: number): void => {
	floats[at] = mode === relu ? Math.max(value, 0) : mode === add ? floats[at]! + value : value;
};

const createRows = ({floats, bytes, ids}: Views): Pick<EncoderKernel, 'lookupBytes' | 'normalise' | 'average' | 'tanh'> => ({
	lookupBytes(idsAt, count, width, table, scales, positions, out) {
		for (let i = 0; i < count * width; i++) {
			const id = ids[idsAt / 2 + Math.floor(i / width)]!;
			floats[out / 4 + i] = fround(bytes[table + id * width + i % width]! * floats[scales / 4 + id]!) + floats[positions / 4 + i]!;
		}
	},

	normalise(x, rows, width, gain, bias, out) {
		for (let row = 0; row < rows; row++) {
			const from = x / 4 + row * width;
			const sums = new Float32Array(8);
			for (let i = 0; i < width; i++) {
				sums[i & 7]! += floats[from + i]!;
			}

			const mean = fround(total(joinHalves(sums)) / width);
			sums.fill(0);
			for (let i = 0; i < width; i++) {
				const difference = fround(floats[from + i]! - mean);
				sums[i & 7]! += fround(difference * difference);
			}

			const inverse = fround(1 / Math.sqrt(total(joinHalves(sums)) / width + 1e-6));
			for (let i = 0; i < width; i++) {
				const factor = fround(floats[gain / 4 + i]! * inverse);
				floats[out / 4 + row * width + i] = fround(fround(floats[from + i]! - mean) * factor) + floats[bias / 4 + i]!;
			}
		}
	},

	average(x, rows, width, out) {
		const inverse = fround(1 / rows);
		for (let i = 0; i < width; i++) {
			let sum = 0;
			for (let row = 0; row < rows; row++) {
				sum = fround(sum + floats[x / 4 + row * width + i]!);
			}

			floats[out / 4 + i] = sum * inverse;
		}
	},

	tanh(x, width) {
		for (let i = x / 4; i < x / 4 + width; i++) {
			floats[i] = 1 - fround(2 / fround(exp(fround(2 * floats[i]!)) + 1));
		}
	},
});

const createProducts = ({floats, bytes, words}: Views): Pick<EncoderKernel, 'quantiseWords' | 'multiplyWords'> => ({
	quantiseWords(x, rows, width, largest, out, scales) {
		for (let row = 0; row < rows; row++) {
			const values = floats.subarray(x / 4 + row * width, x / 4 + (row + 1) * width);
			let found = 0;
			for (const value of values) {
				found = Math.max(found, Math.abs(value));
			}

			floats[scales / 4 + row] = found / largest;
			const inverse = found === 0 ? 0 : fround(largest / found);
			for (let i = 0; i < width; i++) {
				words[out / 2 + row * width + i] = nearest(fround(values[i]! * inverse));
			}
		}
	},

	multiplyWords(a, rowScales, rows, depth, weights, columnScales, bias, columns, out, mode) {
		for (let row = 0; row < rows; row++) {
			for (let column = 0; column < columns; column++) {
				let sum = 0;
				let from = weights + (column >> 3) * depth * 8 + (column & 7) * 4;
				for (let i = a / 2 + row * depth, end = i + depth; i < end; i += 4, from += 32) {
					sum +=
						bytes[from]! * words[i]!
						+ bytes[from + 1]! * words[i + 1]!
						+ bytes[from + 2]! * words[i + 2]!
						+ bytes[from + 3]! * words[i + 3]!;
				}

				const scale = fround(floats[rowScales / 4 + row]! * floats[columnScales / 4 + column]!);
				finish(floats, fround(fround(fround(sum) * scale) + floats[bias / 4 + column]!), out / 4 + row * columns + column, mode);
			}
		}
	},
});

const createAttention = ({floats}: Views): Pick<EncoderKernel, 'attend'> => {
	const multiplyFloats = (
		a: number, aStride: number, rows: number, depth: number, b: number, bStride: number, columns: number, out: number, outStride: number,
	) => {
		for (let row = 0; row < rows; row++) {
			for (let column = 0; column < columns; column++) {
				let sum = 0;
				let from = b / 4 + column;
				for (let i = (a + row * aStride) / 4, end = i + depth; i < end; i++, from += bStride / 4) {
					sum = fround(sum + fround(floats[i]! * floats[from]!));
				}

				floats[(out + row * outStride) / 4 + column] = sum;
			}
		}
	};

	const softmax = (row: number, count: number, columns: number): void => {
		const values = floats.subarray(row / 4, row / 4 + columns);
		values.fill(-1e30, count);
		let largest = values[0]!;
		for (const value of values) {
			largest = Math.max(largest, value);
		}

		const sum = new Float32Array(4);
		for (let i = 0; i < columns; i++) {
			values[i] = exp(fround(values[i]! - largest));
			sum[i & 3]! += values[i]!;
		}

		const inverse = fround(1 / total(sum));
		for (let i = 0; i < columns; i++) {
			values[i]! *= inverse;
		}
	};

	return {
		attend(qkv, tokens, heads, size, keys, weights, out) {
			const outStride = heads * size * 4;
			const stride = outStride * 3;
			const columns = Math.ceil(tokens / 8) * 8;
			for (let head = 0; head < heads; head++) {
				const queries = qkv + head * size * 4;
				for (let token = 0; token < tokens; token++) {
					for (let i = 0; i < size; i++) {
						floats[keys / 4 + i * columns + token] = floats[(queries + outStride + token * stride) / 4 + i]!;
					}
				}

				multiplyFloats(queries, stride, tokens, size, keys, columns * 4, columns, weights, columns * 4);
				for (let token = 0; token < tokens; token++) {
					softmax(weights + token * columns * 4, tokens, columns);
				}

				multiplyFloats(weights, columns * 4, tokens, tokens, queries + 2 * outStride, stride, size, out + head * size * 4, outStride);
			}
		},
	};
};

export const createJsEncoderKernel = (buffer: ArrayBufferLike): EncoderKernel => {
	const views = viewsOf(buffer);
	return {...createRows(views), ...createProducts(views), ...createAttention(views)};
};

/** Adds the sums of eight lanes to four. */
const joinHalves = (sums: Float32Array): Float32Array => Float32Array.from(lanes, lane => sums[lane]! + sums[lane + 4]!);
