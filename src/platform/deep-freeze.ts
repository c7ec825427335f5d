/** Freezes a value before a caller gets it: writing into it throws, and changes nothing. */

/** A value whose parts cannot be assigned. */
export type DeepReadonly<Value> = Value extends object ? {readonly [Key in keyof Value]: DeepReadonly<Value[Key]>} : Value;

/** Freezes plain objects and arrays, recursively. Others stay as they are: a typed array cannot be frozen. */
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
