/**
 * What is made of a value that never changes is made once and then read: a view of a snapshot,
 * the text of a view. It is kept as long as that value is, and no longer.
 */
export const memoizeWeak = <Key extends WeakKey, Made>(make: (key: Key) => Made): ((key: Key) => Made) => {
	const made = new WeakMap<Key, {value: Made}>();
	return key => {
		let kept = made.get(key);
		if (!kept) {
			kept = {value: make(key)};
			made.set(key, kept);
		}

		return kept.value;
	};
};
