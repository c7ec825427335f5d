/** The code's camelCase names → the snake_case names of the interface. */

type SnakeCaseName<Name extends string> = Name extends `${infer First}${infer Rest}`
	? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCaseName<Rest>}`
	: '';

/** A record with its own keys in snake_case. Keys of nested records stay: many are data. */
export type SnakeCase<Fields extends object> = {[Name in keyof Fields as SnakeCaseName<Name & string>]: Fields[Name]};

const names = new Map<string, string>();

const snakeCaseName = (name: string): string => {
	let renamed = names.get(name);
	if (renamed === undefined) {
		renamed = name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
		names.set(name, renamed);
	}

	return renamed;
};

/** A copy with the keys in snake_case, in the same order. Give it records with fixed keys: names are cached. */
export const toSnakeCase = <Fields extends object>(fields: Fields): SnakeCase<Fields> => {
	const renamed: Record<string, unknown> = {};
	for (const [name, value] of Object.entries(fields)) {
		renamed[snakeCaseName(name)] = value;
	}

	return renamed as SnakeCase<Fields>;
};
