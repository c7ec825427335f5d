/** The bundled encoder without files or threads, with weights that the page has fetched. */
import {fitWidth} from '../../src/embedding/fit-width.ts';
import {modelWidth} from '../../src/embedding/use-lite/scratch.ts';
import {loadBundled} from '../../src/embedding/use-lite/load-bundled.ts';
import {bundledModel} from '../../src/embedding/use-lite/identifier.ts';
import {allocate} from '../../src/embedding/use-lite/weights.ts';

export const bundledPassport = {model: bundledModel, width: modelWidth};

/** @param {Uint8Array} bytes The file of the weights. @returns a function that embeds a text as the service does, bit for bit */
export const openInPage = bytes => {
	const place = allocate(bytes.length, 1);
	place.bytes.set(bytes);
	const infer = loadBundled(place.finish(), 0);
	return async text => fitWidth((await infer(text)).vector);
};
