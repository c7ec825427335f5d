/**
 * Memoises a function of one object: the view of a snapshot, the text of a view. A result is
 * kept as long as its object, which must not change.
 */
export const memoizeWeak = <Key extends WeakKey, Value>(compute: (key: Key) => Value): ((key: Key) => Value) => {
	const values = new WeakMap<Key, Value>();
	return key => {
		if (!values.has(key)) {
			values.set(key, compute(key));
		}

		return values.get(key) as Value;
	};
};
