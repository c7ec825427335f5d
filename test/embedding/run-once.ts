/**
 * A process that loads the encoder its argument describes, embeds one text, disposes of it and
 * has nothing more to do: it must then end by itself. Prints the outcome as one JSON line.
 */
import {loadEncoder} from '../../src/embedding/load-encoder.ts';

try {
	const encoder = await loadEncoder(JSON.parse(process.argv[2]!));
	const vector = await encoder.embed('a thought');
	await encoder.dispose();
	console.log(JSON.stringify({passport: encoder.passport, vector: [...vector]}));
} catch (error) {
	console.log(JSON.stringify({code: (error as {code: string}).code, message: (error as Error).message}));
}
