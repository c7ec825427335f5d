/**
 * Decodes the bytes of a file: UTF-8, or UTF-16 with a byte order mark, as Windows writes it. Other encodings are not guessed,
 * because a wrong guess would change the words.
 */
import {isUtf8} from 'node:buffer';
import {withErrors} from '../../platform/errors.ts';

/** The reason why a line or a document is rejected. */
export const notUtf8 = 'it is not in UTF-8: convert the file, for example with “iconv -f WINDOWS-1252 -t UTF-8”';

/** Bytes → text. With `stream`, more bytes follow. */
export type Decode = (bytes: Uint8Array, options?: {readonly stream?: boolean}) => string;

/** The decoder for a text that begins with these bytes, if they are a UTF-16 mark, which it removes; else null. */
export const utf16DecoderOf = ([first, second]: Uint8Array): Decode | null => {
	const encoding = first === 0xFF && second === 0xFE ? 'utf-16le' : first === 0xFE && second === 0xFF ? 'utf-16be' : null;
	const decoder = encoding && new TextDecoder(encoding);
	return decoder && ((bytes, options) => decoder.decode(bytes, options));
};

/** The decoder for a document that begins with these bytes. It throws a TypeError if the document is neither UTF-16 nor UTF-8. */
export const decoderOf = (beginning: Uint8Array): Decode => {
	const decoder = new TextDecoder('utf-8', {fatal: true});
	return utf16DecoderOf(beginning) ?? ((bytes, options) =>
		withErrors(() => decoder.decode(bytes, options), error => new TypeError(notUtf8, {cause: error})));
};

/** Decodes a line that was read as Latin-1, one character per byte. `isRead` is false if it is not valid UTF-8. */
export const decodeLine = (raw: string): {readonly text: string; readonly isRead: boolean} => {
	// Fast path: most lines are ASCII only.
	if (!/[\u0080-\u00FF]/.test(raw)) {
		return {text: raw, isRead: true};
	}

	const bytes = Buffer.from(raw, 'latin1');
	return {text: bytes.toString('utf8'), isRead: isUtf8(bytes)};
};
