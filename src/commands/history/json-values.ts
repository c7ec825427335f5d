/** Streams the values of a JSON document, because an export may be larger than the memory. */
import {createReadStream} from 'node:fs';
import {JSONParser} from '@streamparser/json';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import type {Entry} from '../transfer/entry-reader.ts';
import {decoderOf, type Decode} from '../transfer/text-encoding.ts';

/**
 * Yields the elements of a document that is a list, or of the list in one of its fields. An element's `line` is its place, from 1.
 *
 * @param field The list's name; null if the document is the list.
 * @throws {ConfigurationError} if the document breaks off or is not JSON; complete elements before that are yielded.
 */
export async function * readJsonList(file: string, field: string | null): AsyncGenerator<Entry> {
	let found: Entry[] = [];
	let line = 0;
	const parser = new JSONParser({paths: [field === null ? '$.*' : `$.${field}.*`], keepStack: false, stringBufferSize: 65_536});
	parser.onValue = ({value}) => found.push({line: ++line, value});

	let decode: Decode | undefined;
	try {
		for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
			decode ??= decoderOf(chunk);
			parser.write(decode(chunk, {stream: true}));
			yield * found;
			found = [];
		}

		if (!parser.isEnded) {
			throw new TypeError('it is cut off');
		}
	} catch (error) {
		yield * found;
		throw new ConfigurationError(`${file} is not a complete JSON document: ${reasonOf(error)}`, {cause: error});
	}
}
