/**
 * The exports of mem0 and Letta, as `processual import` reads them: a message was said in a conversation, a memory is the
 * agent's text to itself, and the persona is the identity's beginning.
 */
import {statSync} from 'node:fs';
import {ownSource} from '../../../instruments/source-of.ts';
import {leftOut, translateEntry} from '../../transfer/agent-exports.ts';
import {readEntries, readJsonList} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, timeOf, type Format, type FoundText, type PastFile} from '../past-text.ts';

/** In bytes. An agent file is a single object, which is read as a whole. */
const maxDocument = 2 ** 28;

export const lettaFile: Format = {
	name: 'Letta agent files',
	detect: ({name, head}) => name.endsWith('.af') || (/^\s*\{/.test(head) && head.includes('"core_memory"')),
	async * read({path}) {
		if (statSync(path).size > maxDocument) {
			yield {line: 1, reason: 'an agent file has at most 256 MiB'};
			return;
		}

		yield * foundIn(readEntries(path), toFound);
	},
};

export const lettaMessages: Format = {
	name: 'Letta messages',
	detect: ({values: [first], head}) => 'message_type' in (first ?? {}) || /^\s*\[\s*\{[^{}]*"message_type"/.test(head),
	read: readAny,
};

export const mem0: Format = {
	name: 'mem0 memories',
	detect: ({head, values: [first]}) => typeof first?.['memory'] === 'string'
		|| /^\s*(?:\[\s*)?\{(?:[^{}[\]]*"results"\s*:\s*\[\s*\{)?[^{}[\]]*"memory"\s*:\s*"/.test(head),
	read: readAny,
};

/** Reads a list, an object with the list `results`, or one entry per line. */
function readAny({path, head}: PastFile): AsyncGenerator<FoundText> {
	const isList = /^\s*\[/.test(head);
	const isEach = !isList && !/^\s*\{[^{}[\]]*"results"\s*:/.test(head);
	return foundIn(isEach ? readEntries(path) : readJsonList(path, isList ? null : 'results'), toFound);
}

const toFound = (value: unknown, line: number): FoundText[] => {
	try {
		const entry = translateEntry(value);
		if (entry === leftOut) {
			return [];
		}

		const {kind, content, role, conversation, created} = fieldsOf(entry);
		const saidAt = timeOf(created);
		switch (kind) {
			case 'state': return [{persona: String(content)}];
			case 'thought': return said(String(content), ownSource, {conversation: null, saidAt});
			case 'message': return said(String(content), speakerOf(role) ?? 'user', {conversation: String(conversation), saidAt});
			default: return [{line, reason: 'it is not a memory, message or passage'}];
		}
	} catch (error) {
		if (error instanceof TypeError) {
			return [{line, reason: error.message}];
		}

		throw error;
	}
};
