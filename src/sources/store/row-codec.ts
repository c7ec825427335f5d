/**
 * Converts states, thoughts and directions to rows of a database, and back.
 *
 * Vectors are the bytes of their floats, little-endian like all platforms that Node supports.
 * Any other row is a {@link DamageError}.
 */
import {createHash} from 'node:crypto';
import {StoreError} from '../../platform/errors.ts';
import {dimensions} from '../../kernel/dimensions.ts';
import type {StoredDirection, StoredState, StoredThought} from './store.ts';

export type Row = Record<string, unknown>;

/** The kinds of items in the order of an import, each with the column that orders them. */
export const itemKeys = {state: 'state_id', thought: 'id', direction: 'id'} as const;

export type ItemKind = keyof typeof itemKeys;

/** A row that is not in the form that this module writes. */
export class DamageError extends Error {
	override readonly name = 'DamageError';
}

/** `state_id`, `timestamp`, `model`, `kind`, `vectors`. @throws {StoreError} unless there are 8 rows of equal width. */
export const stateFields = (state: StoredState) => {
	const [kind, vectors] = 'rows' in state ? ['tensor', tensorToBytes(state.rows)] as const : ['vector', toBytes(state.vector)] as const;
	return [state.stateId, state.timestamp, state.model, kind, vectors] as const;
};

/** `digest`, `type`, `content`, `model`, `vector`. The digest of type, content and vector identifies equal thoughts. */
export const thoughtFields = ({type, content, model, vector}: StoredThought) => {
	const bytes = toBytes(vector);
	return [digestOf([type, content], bytes), type, content, model, bytes] as const;
};

/** `category`, `name`, `pole_positive`, `pole_negative`, `model`, `vector`. */
export const directionFields = ({category, name, polePositive, poleNegative, model, vector}: StoredDirection) =>
	[category, name, polePositive, poleNegative, model, toBytes(vector)] as const;

/** A digest of the texts as databases store them, without lone surrogates. */
export const digestOf = (texts: ReadonlyArray<string | null>, bytes: Uint8Array = new Uint8Array()): Uint8Array =>
	createHash('sha256').update(JSON.stringify(texts.map(text => text?.toWellFormed()))).update(bytes).digest();

/** @param readText Converts a column's value to its text, and null to null. */
export const createRowReader = (readText: (value: unknown) => unknown) => {
	const toTextOrNull = (value: unknown): string | null => {
		const text = readText(value);
		if (text !== null && typeof text !== 'string') {
			throw new DamageError('a text has another type');
		}

		return text;
	};

	const toText = (value: unknown): string => {
		const text = toTextOrNull(value);
		if (text === null) {
			throw new DamageError('a text is missing');
		}

		return text;
	};

	return {
		state(row: Row): StoredState {
			const common = {stateId: Number(row['state_id']), timestamp: toText(row['timestamp']), model: toTextOrNull(row['model'])};
			const floats = toFloats(row['vectors']);
			if (row['kind'] !== 'tensor') {
				return {...common, vector: floats};
			}

			const width = floats.length / dimensions.length;
			if (!Number.isInteger(width)) {
				throw new DamageError('a state has an incomplete row');
			}

			return {...common, rows: dimensions.map((_, i) => floats.slice(i * width, (i + 1) * width))};
		},
		thought: (row: Row): StoredThought => ({
			type: toTextOrNull(row['type']),
			content: toTextOrNull(row['content']),
			model: toTextOrNull(row['model']),
			vector: toFloats(row['vector']),
		}),
		direction: (row: Row): StoredDirection => ({
			category: toText(row['category']),
			name: toText(row['name']),
			polePositive: toText(row['pole_positive']),
			poleNegative: toText(row['pole_negative']),
			model: toTextOrNull(row['model']),
			vector: toFloats(row['vector']),
		}),
	};
};

export const toFloats = (value: unknown): Float32Array => {
	if (!(value instanceof Uint8Array) || value.length % 4 !== 0) {
		throw new DamageError('a vector has incomplete floats');
	}

	// Copied, because a database's bytes may not be aligned for floats.
	return new Float32Array(new Uint8Array(value).buffer);
};

export const toBytes = (floats: Float32Array): Uint8Array => new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);

const tensorToBytes = (rows: readonly Float32Array[]): Uint8Array => {
	if (rows.length !== dimensions.length || rows.some(row => row.length !== rows[0]!.length)) {
		throw new StoreError(`A state needs ${dimensions.length} rows of equal width; this one has the widths `
			+ `${rows.map(row => row.length).join(', ') || 'of no row'}. Nothing was written.`);
	}

	return Buffer.concat(rows.map(toBytes));
};

/** The forms in which a store may have a vector's bytes: whole, or without the zeros of its padding. */
export const widthsOf = (vector: Float32Array): Uint8Array[] => {
	const used = vector.findLastIndex(value => value !== 0) + 1;
	return used === 0 ? [] : [vector, vector.subarray(0, used)].map(toBytes);
};
