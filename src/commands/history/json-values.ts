/** The values of a JSON document, one by one: an export may be larger than the memory. */
import {createReadStream} from 'node:fs';
import {JSONParser} from '@streamparser/json';
import {ConfigurationError, reasonOf} from '../../platform/errors.ts';
import type {Entry} from '../transfer/entry-reader.ts';
import {decoderOf, type Decode} from '../transfer/text-encoding.ts';

/**
 * The elements of the list that a document is, or of the list in its field, each with its place in it, from 1, as its line.
 *
 * @param field The list's name; null where the document is the list.
 * @throws {ConfigurationError} where the document breaks off or is no JSON; what was whole before is yielded.
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
			throw new TypeError('it breaks off before its end');
		}
	} catch (error) {
		yield * found;
		throw new ConfigurationError(`${file} is no whole JSON document: ${reasonOf(error)}`, {cause: error});
	}
}
