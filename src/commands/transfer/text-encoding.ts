/**
 * The bytes of a file as text. Files are in UTF-8, or in UTF-16 with a mark at the beginning, as Windows writes them. What is
 * neither is not guessed at: it would be heard as other words than were said.
 */
import {isUtf8} from 'node:buffer';

/** Why a line, or a document, is not read. */
export const notUtf8 = 'it is not in UTF-8: convert the file, for example with “iconv -f WINDOWS-1252 -t UTF-8”';

/** Bytes → text; after some come others with `stream`. */
export type Decode = (bytes: Uint8Array, options?: {readonly stream?: boolean}) => string;

/** What decodes a text that begins with these bytes, if that is UTF-16; it removes the mark. Null for what is none. */
export const utf16DecoderOf = ([first, second]: Uint8Array): Decode | null => {
	const encoding = first === 0xFF && second === 0xFE ? 'utf-16le' : first === 0xFE && second === 0xFF ? 'utf-16be' : null;
	const decoder = encoding && new TextDecoder(encoding);
	return decoder && ((bytes, options) => decoder.decode(bytes, options));
};

/** What decodes a document that begins with these bytes. It throws a TypeError for what is not in UTF-8. */
export const decoderOf = (beginning: Uint8Array): Decode => {
	const decoder = new TextDecoder('utf-8', {fatal: true});
	return utf16DecoderOf(beginning) ?? ((bytes, options) => {
		try {
			return decoder.decode(bytes, options);
		} catch (error) {
			throw new TypeError(notUtf8, {cause: error});
		}
	});
};

/** A line that was read as Latin-1, a character for each byte. `isRead` is false where it is not UTF-8. */
export const decodeLine = (raw: string): {readonly text: string; readonly isRead: boolean} => {
	// Most lines have nothing but ASCII.
	if (!/[\u0080-\u00FF]/.test(raw)) {
		return {text: raw, isRead: true};
	}

	const bytes = Buffer.from(raw, 'latin1');
	return {text: bytes.toString('utf8'), isRead: isUtf8(bytes)};
};
