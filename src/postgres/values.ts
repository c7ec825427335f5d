/** Values as PostgreSQL takes them: it cannot store a NUL character in a text. Any other text is stored as it is. */

/** Unused since the days of teleprinters. It stands for NUL, and twice for itself. */
const substitute = '\u001A';

export const escapeNul = (text: string): string => text.replaceAll(substitute, substitute + substitute).replaceAll('\0', `${substitute}0`);

export const unescapeNul = (text: string): string => text.split(substitute + substitute).map(part => part.replaceAll(`${substitute}0`, '\0')).join(substitute);

/** The client takes only buffers for bytes. */
export const toBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
