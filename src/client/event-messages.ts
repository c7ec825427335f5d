/** Server-sent events, out of text that comes in pieces: what the HTML standard says of `text/event-stream`. */

/** One message with data. */
export type EventMessage = {
	/** The last id that was told, by this message or one before it. */
	id: string;
	event: string;
	data: string;
};

export type EventMessages = {
	/** Takes a piece of the text, and gives the messages that it ends. */
	read(piece: string): EventMessage[];
	/** How long to wait before coming back, in milliseconds; null as long as the service has not said. */
	readonly retry: number | null;
};

/** @param id The last id that is known, which counts until a message tells another. */
export const eventMessages = (id = ''): EventMessages => {
	let rest = '';
	let isBegun = false;
	let event = '';
	let data: string[] = [];
	let retry: number | null = null;

	const take = (line: string): EventMessage | null => {
		if (line === '') {
			const message = data.length > 0 ? {id, event: event || 'message', data: data.join('\n')} : null;
			event = '';
			data = [];
			return message;
		}

		const [, field, value = ''] = /^([^:]*)(?::? ?)([^]*)$/.exec(line)!;
		if (field === 'event') {
			event = value;
		} else if (field === 'data') {
			data.push(value);
		} else if (field === 'id' && !value.includes('\0')) {
			id = value;
		} else if (field === 'retry' && /^\d+$/.test(value)) {
			retry = Number(value);
		}

		return null;
	};

	return {
		read(piece) {
			const text = rest + (isBegun ? piece : piece.replace(/^\uFEFF/, ''));
			isBegun ||= piece !== '';
			// A return at the very end may be half of a line break.
			const lines = text.split(/\r\n|\n|\r(?!$)/);
			rest = lines.pop()!;
			return lines.map(line => take(line)).filter(message => message !== null);
		},

		get retry() {
			return retry;
		},
	};
};
