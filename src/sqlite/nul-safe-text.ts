/**
 * Texts of others, read whole. Node 22 ends a text that it reads at the first null character, so a
 * text that may hold one is selected as JSON, which writes that character in others.
 */
import type {SQLOutputValue} from 'node:sqlite';

/** A column of a `select` whose value goes through {@link nulSafeText}. */
export const nulSafeColumn = (name: string, expression = name): string => `json_quote(${expression}) as ${name}`;

/** The text, or null. Of a column that holds something else, what that is as JSON. @throws {SyntaxError} for a value that is not JSON. */
export const nulSafeText = (value: SQLOutputValue | undefined): unknown => JSON.parse(value as string);
