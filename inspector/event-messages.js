// @ts-check
/** The text of an event stream, taken apart as it comes in pieces. */

/** @typedef {{id: string, type: string, data: any}} Message */

/**
 * A reader of one connection's text: given a piece, it returns the messages that are complete
 * now. Comments, such as the service's pings, are passed over.
 *
 * @returns {(piece: string) => Message[]}
 */
export const messageReader = () => {
	let rest = '';
	let id = '';
	return piece => {
		const blocks = (rest + piece).replaceAll('\r\n', '\n').split('\n\n');
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
