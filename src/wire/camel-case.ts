/** The snake_case names of the interface → the code's camelCase names. */

type CamelCaseName<Name extends string> = Name extends `${infer First}_${infer Rest}` ? `${First}${Capitalize<CamelCaseName<Rest>>}` : Name;

/** A record with its own keys in camelCase. Keys of nested records stay: many are data. */
export type CamelCase<Fields extends object> = {[Name in keyof Fields as CamelCaseName<Name & string>]: Fields[Name]};

/** A copy with the keys in camelCase, in the same order. */
export const toCamelCase = <Fields extends object>(fields: Fields): CamelCase<Fields> =>
	Object.fromEntries(Object.entries(fields).map(([name, value]) => [name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()), value])) as CamelCase<Fields>;
