/** Attention: each token's mean of all tokens' values, weighted by softmax(query · key), for each head. */
import {total} from '../vector';
import {STORE} from './epilogue';
import {exp} from './exponential';
import {multiplyFloats} from './float-product';

/**
 * @param qkv A row for each token: queries (already scaled), keys and values, each `heads` × `size` floats.
 * @param keys Scratch: `size` rows with a float for each token, rounded up to a multiple of eight.
 * @param weights Scratch: such a row for each token, rounded up to a multiple of four.
 */
export function attend(qkv: usize, tokens: usize, heads: usize, size: usize, keys: usize, weights: usize, out: usize): void {
	const headBytes = size * 4;
	const outStride = heads * headBytes;
	const stride = outStride * 3;
	const columns = (tokens + 7) & ~7;
	const rowBytes = columns * 4;
	for (let head: usize = 0; head < heads; head++, qkv += headBytes, out += headBytes) {
		transpose(qkv + outStride, stride, tokens, size, keys, rowBytes);
		multiplyFloats(qkv, stride, tokens, size, keys, rowBytes, 32, 0, columns, weights, rowBytes, STORE);
		for (let token: usize = 0; token < tokens; token++) {
			softmax(weights + token * rowBytes, tokens, rowBytes);
		}

		multiplyFloats(weights, rowBytes, tokens, tokens, qkv + 2 * outStride, stride, 32, 0, size, out, outStride, STORE);
	}
}

function transpose(from: usize, stride: usize, rows: usize, columns: usize, to: usize, rowBytes: usize): void {
	for (let r: usize = 0; r < rows; r++, from += stride, to += 4) {
		for (let c: usize = 0; c < columns; c++) {
			f32.store(to + c * rowBytes, f32.load(from + c * 4));
		}
	}
}

/** @param bytes The length of the row with its padding, which becomes 0. */
function softmax(row: usize, count: usize, bytes: usize): void {
	for (let i = count * 4; i < bytes; i += 4) {
		f32.store(row + i, -1e30);
	}

	let largest = v128.load(row);
	for (let i: usize = 16; i < bytes; i += 16) {
		largest = f32x4.max(largest, v128.load(row + i));
	}

	const m = f32x4.splat(max(max(f32x4.extract_lane(largest, 0), f32x4.extract_lane(largest, 1)), max(f32x4.extract_lane(largest, 2), f32x4.extract_lane(largest, 3))));
	let sum = f32x4.splat(0);
	for (let i: usize = 0; i < bytes; i += 16) {
		const e = exp(f32x4.sub(v128.load(row + i), m));
		v128.store(row + i, e);
		sum = f32x4.add(sum, e);
	}

	const inverse = f32x4.splat(<f32>(1 / total(sum)));
	for (let i: usize = 0; i < bytes; i += 16) {
		v128.store(row + i, f32x4.mul(v128.load(row + i), inverse));
	}
}
