/** What a client gets by the protocol instead of an answer. Not the SDK's own error: its message begins with its code, and a client puts the code before a message again. */
import type {ProtocolErrorCode} from '@modelcontextprotocol/server';

export class ProtocolError extends Error {
	override readonly name = 'ProtocolError';
	readonly code: ProtocolErrorCode;

	constructor(code: ProtocolErrorCode, message: string) {
		super(message);
		this.code = code;
	}
}
