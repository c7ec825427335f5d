/**
 * ChatGPT's export: `conversations.json`, a list of conversations. Each is a tree of messages, because answers can be
 * regenerated and questions edited; its `current_node` ends the branch that the user sees.
 */
import {readJsonList} from '../../transfer/entry-reader.ts';
import {fieldsOf, foundIn, said, speakerOf, textOf, timeOf, type Fields, type Format, type FoundText} from '../past-text.ts';

export const chatGpt: Format = {
	name: 'ChatGPT conversations',
	detect: ({head}) => /^\s*\[/.test(head) && head.includes('"mapping"') && head.includes('"create_time"'),
	read: ({path}) => foundIn(readJsonList(path, null), conversation => readConversation(fieldsOf(conversation))),
};

function * readConversation(
	{mapping, current_node: last, conversation_id: id, id: other, title, create_time: begun}: Fields,
): Generator<FoundText> {
	const nodes = fieldsOf(mapping);
	const conversation = String(id ?? other ?? title ?? '');
	for (const {message} of branchOf(nodes, last)) {
		const {author, content, create_time: created, recipient = 'all', metadata} = fieldsOf(message);
		const speaker = speakerOf(fieldsOf(author)['role']);
		const isSpoken = recipient === 'all' && !fieldsOf(metadata)['is_visually_hidden_from_conversation']
			&& ['text', 'multimodal_text'].includes(String(fieldsOf(content)['content_type'] ?? 'text'));
		if (speaker && isSpoken) {
			yield * said(textOf(content), speaker, {conversation, saidAt: timeOf(created) ?? timeOf(begun)});
		}
	}
}

/** The nodes from the root to the last one; all nodes in order if that is missing. */
const branchOf = (nodes: Fields, last: unknown): Fields[] => {
	const branch: Fields[] = [];
	const seen = new Set<unknown>();
	for (let key = last; typeof key === 'string' && key in nodes && !seen.has(key); key = fieldsOf(nodes[key])['parent']) {
		seen.add(key);
		branch.push(fieldsOf(nodes[key]));
	}

	return branch.length === 0 ? Object.values(nodes).map(fieldsOf) : branch.toReversed();
};
