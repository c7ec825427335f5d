/** JSON in which the order of keys does not count: the same value gives the same text. */
export const toCanonicalJson = (value: unknown): string => JSON.stringify(value, (_, inner: unknown) => typeof inner === 'object' && inner !== null && !Array.isArray(inner)
	? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => a < b ? -1 : 1))
	: inner);
