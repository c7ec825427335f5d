/**
 * States, thoughts and directions as rows of the store's tables, and back.
 *
 * Vectors are the bytes of their floats, little-endian like all platforms that Node supports.
 * Any other row is a {@link DamageError}.
 */
import {createHash} from 'node:crypto';
import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import {StoreError} from '../../errors.ts';
import {nulSafeColumn, nulSafeText} from '../../sqlite/nul-safe-text.ts';
import {dimensions} from '../../tensor/dimensions.ts';
import type {StoredDirection, StoredState, StoredThought} from '../store.ts';

/** Items that are written in one transaction. */
export type StoredItems = {states?: readonly StoredState[]; thoughts?: readonly StoredThought[]; directions?: readonly StoredDirection[]};

/** Numbers of items of a write. */
export type Written = {added: number; replaced: number; unchanged: number};

export type Row = Record<string, SQLOutputValue>;

/** A row is not as this module writes it. */
export class DamageError extends Error {}

/** A thought is identified by the digest of its type, content and vector. Ids of thoughts and directions grow in order of import. */
export const tables = `
	create table states (state_id integer primary key, timestamp text not null, model text, kind text not null, vectors blob not null) strict;
	create table thoughts (id integer primary key, digest blob not null unique, type text, content text, model text, vector blob not null) strict;
	create table directions (id integer primary key, category text not null, name text not null, pole_positive text not null, pole_negative text not null, model text, vector blob not null, unique (category, name)) strict;
`;

const selectTexts = (...columns: string[]): string => columns.map(column => nulSafeColumn(column)).join(', ');

/** The columns that the functions below read, with their table. */
export const selections = {
	states: `state_id, ${selectTexts('timestamp', 'model')}, kind, vectors from states`,
	thoughts: `${selectTexts('type', 'content', 'model')}, vector from thoughts`,
	directions: `${selectTexts('category', 'name', 'pole_positive', 'pole_negative', 'model')}, vector from directions`,
};

/** Must run in a transaction. Node 22 binds an empty vector as null, hence `ifnull`. */
export const writeItems = (database: DatabaseSync, {states = [], thoughts = [], directions = []}: StoredItems): Written => {
	const written = {added: 0, replaced: 0, unchanged: 0};
	const count = (before: Row | undefined, {changes}: {changes: number | bigint}) => {
		written[Number(changes) === 0 ? 'unchanged' : before ? 'replaced' : 'added']++;
	};

	const stateBefore = database.prepare('select state_id from states where state_id = ?');
	const putState = database.prepare(`
		insert into states (state_id, timestamp, model, kind, vectors) values (?, ?, ?, ?, ifnull(?, x''))
		on conflict do update set timestamp = excluded.timestamp, model = excluded.model, kind = excluded.kind, vectors = excluded.vectors
		where (timestamp, model, kind, vectors) is not (excluded.timestamp, excluded.model, excluded.kind, excluded.vectors)`);
	for (const state of states) {
		const {stateId, timestamp, model} = state;
		const [kind, vectors] = 'rows' in state ? ['tensor', tensorToBytes(state.rows)] as const : ['vector', toBytes(state.vector)] as const;
		count(stateBefore.get(stateId), putState.run(stateId, timestamp, model, kind, vectors));
	}

	const addThought = database.prepare(`insert into thoughts (digest, type, content, model, vector) values (?, ?, ?, ?, ifnull(?, x'')) on conflict do nothing`);
	for (const thought of thoughts) {
		const {type, content, model, vector} = thought;
		count(undefined, addThought.run(computeDigest(thought), type, content, model, toBytes(vector)));
	}

	const directionBefore = database.prepare('select id from directions where (category, name) = (?, ?)');
	const putDirection = database.prepare(`
		insert into directions (category, name, pole_positive, pole_negative, model, vector) values (?, ?, ?, ?, ?, ifnull(?, x''))
		on conflict do update set pole_positive = excluded.pole_positive, pole_negative = excluded.pole_negative, model = excluded.model, vector = excluded.vector
		where (pole_positive, pole_negative, model, vector) is not (excluded.pole_positive, excluded.pole_negative, excluded.model, excluded.vector)`);
	for (const {category, name, polePositive, poleNegative, model, vector} of directions) {
		count(directionBefore.get(category, name), putDirection.run(category, name, polePositive, poleNegative, model, toBytes(vector)));
	}

	return written;
};

export const toState = (row: Row): StoredState => {
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
};

export const toThought = (row: Row): StoredThought => ({
	type: toTextOrNull(row['type']),
	content: toTextOrNull(row['content']),
	model: toTextOrNull(row['model']),
	vector: toFloats(row['vector']),
});

export const toDirection = (row: Row): StoredDirection => ({
	category: toText(row['category']),
	name: toText(row['name']),
	polePositive: toText(row['pole_positive']),
	poleNegative: toText(row['pole_negative']),
	model: toTextOrNull(row['model']),
	vector: toFloats(row['vector']),
});

export const toFloats = (value: SQLOutputValue | undefined): Float32Array => {
	if (!(value instanceof Uint8Array) || value.length % 4 !== 0) {
		throw new DamageError('a vector has incomplete floats');
	}

	// A copy, since SQLite's bytes may not be aligned for floats.
	return new Float32Array(value.slice().buffer);
};

const toText = (value: SQLOutputValue | undefined): string => {
	const text = toTextOrNull(value);
	if (text === null) {
		throw new DamageError('a text is missing');
	}

	return text;
};

const toTextOrNull = (value: SQLOutputValue | undefined): string | null => {
	const text = nulSafeText(value);
	if (text !== null && typeof text !== 'string') {
		throw new DamageError('a text has another type');
	}

	return text;
};

const toBytes = (floats: Float32Array): Uint8Array => new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);

/** @throws {StoreError} unless there are 8 rows of equal width. */
const tensorToBytes = (rows: readonly Float32Array[]): Uint8Array => {
	if (rows.length !== dimensions.length || rows.some(row => row.length !== rows[0]!.length)) {
		throw new StoreError(`A state needs ${dimensions.length} rows of equal width; this one has the widths ${rows.map(row => row.length).join(', ') || 'of no row'}. Nothing was written.`);
	}

	return Buffer.concat(rows.map(toBytes));
};

/** Uses the texts as SQLite stores them, without lone surrogates. */
const computeDigest = ({type, content, vector}: StoredThought): Uint8Array =>
	createHash('sha256').update(JSON.stringify([type, content].map(text => text?.toWellFormed()))).update(toBytes(vector)).digest();
