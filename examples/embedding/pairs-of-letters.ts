/**
 * An encoder of your own in ten lines. It gives a unit vector of 1024 floats, and similar texts have
 * similar vectors. This one counts pairs of letters, so that examples need no embedding model.
 */
import type {Encoder} from 'processual-state/embedding';

/** How often each pair of letters occurs in a text. */
export const countPairs = (text: string): Float32Array => {
	const counts = new Float32Array(1024);
	for (let place = 1; place < text.length; place++) {
		counts[(text.charCodeAt(place - 1) * 31 + text.charCodeAt(place)) % 1024]! += 1;
	}

	return counts;
};

export const encoder: Encoder = {
	passport: {model: 'pairs-of-letters'},
	async embed(text) {
		const counts = countPairs(text);
		const length = Math.hypot(...counts);
		return counts.map(count => count / length);
	},
};
