/**
 * Reads text columns whole. Node 22 cuts a text at its first NUL character, so a text that may
 * hold one is selected as JSON, in which that character is escaped.
 */

/** A column of a `select` whose value goes through {@link nulSafeText}. */
export const nulSafeColumn = (name: string, expression = name): string => `json_quote(${expression}) as ${name}`;

/** The column's value: a text, null, or whatever else the column holds. @throws {SyntaxError} for a value that is not JSON. */
export const nulSafeText = (value: unknown): unknown => JSON.parse(value as string);
