/** Immutable values: freezes them before a caller gets them, and caches what is computed from them. */

/** A value whose parts cannot be assigned. */
export type DeepReadonly<Value> = Value extends object ? {readonly [Key in keyof Value]: DeepReadonly<Value[Key]>} : Value;

/** Freezes plain objects and arrays, recursively: writing into them throws. Others stay as they are: a typed array cannot be frozen. */
export const deepFreeze = <Value>(value: Value): Value => {
	if (isFreezable(value) && !Object.isFrozen(value)) {
		Object.freeze(value);
		for (const part of Object.values(value)) {
			deepFreeze(part);
		}
	}

	return value;
};

const isFreezable = (value: unknown): value is object => {
	if (typeof value !== 'object' || value === null) {
		return false;
	}

	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || prototype === Object.prototype || Array.isArray(value);
};

/**
 * Memoises a function of one object, such as the view of a snapshot or the text of a view. A result
 * is kept as long as its object, which must not change.
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
