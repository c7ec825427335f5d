// @ts-check
/** Parses the text of an event stream (server-sent events) as it arrives in chunks. */

/** @typedef {{id: string, type: string, data: any}} Message */

/**
 * A parser for one connection: given a chunk, it returns the messages that are now complete.
 * Comments, such as the service's pings, are skipped.
 *
 * @returns {(chunk: string) => Message[]}
 */
export const createMessageParser = () => {
	let rest = '';
	let id = '';
	return chunk => {
		const blocks = (rest + chunk).replaceAll('\r\n', '\n').split('\n\n');
		rest = blocks.pop() ?? '';
		const messages = [];
		for (const block of blocks) {
			/** @type {string[]} */
			const data = [];
			let type = 'message';
			for (const line of block.split('\n')) {
				const [, field, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
				if (field === 'id') {
					id = value;
				} else if (field === 'event') {
					type = value;
				} else if (field === 'data') {
					data.push(value);
				}
			}

			if (data.length > 0) {
				messages.push({id, type, data: JSON.parse(data.join('\n'))});
			}
		}

		return messages;
	};
};
