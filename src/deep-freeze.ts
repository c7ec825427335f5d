/** Freezes a value that is handed out, so that a caller who writes into it gets an error and changes nothing. */

/** A value whose parts cannot be assigned. */
export type DeepReadonly<Value> = Value extends object ? {readonly [Key in keyof Value]: DeepReadonly<Value[Key]>} : Value;

/** Freezes plain objects and arrays, and those in them. Others are left as they are: a vector cannot be frozen. */
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
