/** Finds transformers.js, an optional package that an application installs under one of its two names. */
import {reasonOf} from '../../platform/errors.ts';
import {nameOf} from '../../platform/option-names.ts';

export type Library = typeof import('@xenova/transformers');

/** Its name, and the former one, as an alias of the new package: the old package itself ends at version 2. */
const names = ['@huggingface/transformers', '@xenova/transformers'];

const wayOut = 'Run npm i @huggingface/transformers@4, or choose a bundled: or an openai: model.';

/** The name under which it is installed, or null. */
export const findTransformers = (): string | null => names.find(name => {
	try {
		import.meta.resolve(name);
		return true;
	} catch {
		return false;
	}
}) ?? null;

/** @throws {Error} whose message says what to install. */
export const importTransformers = async (): Promise<Library> => {
	const name = findTransformers();
	if (name === null) {
		throw new Error(`transformers.js is not installed. ${wayOut}`);
	}

	let library: Library;
	try {
		library = await import(name) as Library;
	} catch (error) {
		throw new Error(`transformers.js does not run here (${reasonOf(error)}). ${wayOut}`, {cause: error});
	}

	if (Number.parseInt(library.env.version, 10) < 4) {
		throw new Error(`${name} is transformers.js ${library.env.version}, and version 4 is needed: version 2, `
			+ `with which @xenova/transformers ends, ignores ${nameOf('encoder.dtype')} and ${nameOf('encoder.threads')}. `
			+ `${wayOut} To keep the former name, run npm i @xenova/transformers@npm:@huggingface/transformers@4.`);
	}

	return library;
};
