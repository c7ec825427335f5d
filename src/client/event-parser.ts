/** Parses `text/event-stream` from chunks of text, as the HTML standard defines it. */

/** One message with data. */
export type EventMessage = {
	/** The last id, of this message or an earlier one. */
	id: string;
	event: string;
	data: string;
};

export type EventParser = {
	/** Parses a chunk of the text. Returns the messages that it completes. */
	read(chunk: string): EventMessage[];
	/** How long to wait before reconnecting, in milliseconds; null until the service says so. */
	readonly retryMs: number | null;
};

/** @param id The last known id, valid until a message has another. */
export const createEventParser = (id = ''): EventParser => {
	let rest = '';
	let hasStarted = false;
	let event = '';
	let data: string[] = [];
	let retryMs: number | null = null;

	const readLine = (line: string): EventMessage | null => {
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
			retryMs = Number(value);
		}

		return null;
	};

	return {
		read(chunk) {
			const text = rest + (hasStarted ? chunk : chunk.replace(/^\uFEFF/, ''));
			hasStarted ||= chunk !== '';
			// A carriage return at the end may be half of a line break.
			const lines = text.split(/\r\n|\n|\r(?!$)/);
			rest = lines.pop()!;
			return lines.map(line => readLine(line)).filter(message => message !== null);
		},

		get retryMs() {
			return retryMs;
		},
	};
};
