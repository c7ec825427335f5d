/**
 * Your own encoder in ten lines. An encoder gives a unit vector of 1024 floats, and similar texts
 * have similar vectors. This one counts pairs of letters, and no embedding model is loaded.
 */
import {openIdentity} from 'processual-state';
import type {Encoder} from 'processual-state/embedding';

const encoder: Encoder = {
	passport: {model: 'pairs-of-letters'},
	async embed(text) {
		const vector = new Float32Array(1024);
		for (let place = 1; place < text.length; place++) {
			vector[(text.charCodeAt(place - 1) * 31 + text.charCodeAt(place)) % 1024]! += 1;
		}

		const length = Math.hypot(...vector);
		return vector.map(value => value / length);
	},
};

const identity = await openIdentity({encoder});
const {stateId, dissonanceTotal} = await identity.cycle('The sea is quiet today.');
console.log(`${identity.health().embeddingModel}: state ${stateId}, dissonance ${dissonanceTotal.toFixed(2)}`);
await identity.dispose();
