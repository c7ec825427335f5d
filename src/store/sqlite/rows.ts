/**
 * States, thoughts and directions as rows of the store's tables, and back.
 *
 * Vectors are the floats' own bytes, little-endian, as every machine is that Node has builds
 * for in earnest. A row that nobody wrote so is a {@link DamageError}.
 */
import {createHash} from 'node:crypto';
import type {DatabaseSync, SQLOutputValue} from 'node:sqlite';
import {StoreError} from '../../errors.ts';
import {nulSafeColumn, nulSafeText} from '../../sqlite/nul-safe-text.ts';
import {dimensions} from '../../tensor/dimensions.ts';
import type {StoredDirection, StoredState, StoredThought} from '../store.ts';

/** What is written together. */
export type StoredItems = {states?: readonly StoredState[]; thoughts?: readonly StoredThought[]; directions?: readonly StoredDirection[]};

/** How many items of a write were new, took the place of another, or were there already. */
export type Written = {added: number; replaced: number; unchanged: number};

export type Row = Record<string, SQLOutputValue>;

/** What SQLite read is not what was written. */
export class DamageError extends Error {}

/** A thought's digest is what makes it itself: type, content and vector. Ids of thoughts and directions are the order they came in. */
export const tables = `
	create table states (state_id integer primary key, timestamp text not null, model text, kind text not null, vectors blob not null) strict;
	create table thoughts (id integer primary key, digest blob not null unique, type text, content text, model text, vector blob not null) strict;
	create table directions (id integer primary key, category text not null, name text not null, pole_positive text not null, pole_negative text not null, model text, vector blob not null, unique (category, name)) strict;
`;

const texts = (...columns: string[]): string => columns.map(column => nulSafeColumn(column)).join(', ');

/** What to select for the functions below, and where from. */
export const selections = {
	states: `state_id, ${texts('timestamp', 'model')}, kind, vectors from states`,
	thoughts: `${texts('type', 'content', 'model')}, vector from thoughts`,
	directions: `${texts('category', 'name', 'pole_positive', 'pole_negative', 'model')}, vector from directions`,
};

/** Must run in a transaction. An empty vector's bytes are a null to Node 22. */
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
		const [kind, vectors] = 'rows' in state ? ['tensor', bytesOfTensor(state.rows)] as const : ['vector', bytesOf(state.vector)] as const;
		count(stateBefore.get(stateId), putState.run(stateId, timestamp, model, kind, vectors));
	}

	const addThought = database.prepare(`insert into thoughts (digest, type, content, model, vector) values (?, ?, ?, ?, ifnull(?, x'')) on conflict do nothing`);
	for (const thought of thoughts) {
		const {type, content, model, vector} = thought;
		count(undefined, addThought.run(digestOf(thought), type, content, model, bytesOf(vector)));
	}

	const directionBefore = database.prepare('select id from directions where (category, name) = (?, ?)');
	const putDirection = database.prepare(`
		insert into directions (category, name, pole_positive, pole_negative, model, vector) values (?, ?, ?, ?, ?, ifnull(?, x''))
		on conflict do update set pole_positive = excluded.pole_positive, pole_negative = excluded.pole_negative, model = excluded.model, vector = excluded.vector
		where (pole_positive, pole_negative, model, vector) is not (excluded.pole_positive, excluded.pole_negative, excluded.model, excluded.vector)`);
	for (const {category, name, polePositive, poleNegative, model, vector} of directions) {
		count(directionBefore.get(category, name), putDirection.run(category, name, polePositive, poleNegative, model, bytesOf(vector)));
	}

	return written;
};

export const stateOf = (row: Row): StoredState => {
	const known = {stateId: Number(row['state_id']), timestamp: textOf(row['timestamp']), model: textOrNull(row['model'])};
	const floats = floatsOf(row['vectors']);
	if (row['kind'] !== 'tensor') {
		return {...known, vector: floats};
	}

	const width = floats.length / dimensions.length;
	if (!Number.isInteger(width)) {
		throw new DamageError('a state has a part of a row');
	}

	return {...known, rows: dimensions.map((_, i) => floats.slice(i * width, (i + 1) * width))};
};

export const thoughtOf = (row: Row): StoredThought => ({
	type: textOrNull(row['type']),
	content: textOrNull(row['content']),
	model: textOrNull(row['model']),
	vector: floatsOf(row['vector']),
});

export const directionOf = (row: Row): StoredDirection => ({
	category: textOf(row['category']),
	name: textOf(row['name']),
	polePositive: textOf(row['pole_positive']),
	poleNegative: textOf(row['pole_negative']),
	model: textOrNull(row['model']),
	vector: floatsOf(row['vector']),
});

export const floatsOf = (value: SQLOutputValue | undefined): Float32Array => {
	if (!(value instanceof Uint8Array) || value.length % 4 !== 0) {
		throw new DamageError('a vector is not one of floats');
	}

	// A copy: SQLite's bytes may lie where no floats can.
	return new Float32Array(value.slice().buffer);
};

const textOf = (value: SQLOutputValue | undefined): string => {
	const text = textOrNull(value);
	if (text === null) {
		throw new DamageError('a text is missing');
	}

	return text;
};

const textOrNull = (value: SQLOutputValue | undefined): string | null => {
	const text = nulSafeText(value);
	if (text !== null && typeof text !== 'string') {
		throw new DamageError('a text is none');
	}

	return text;
};

const bytesOf = (floats: Float32Array): Uint8Array => new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength);

/** @throws {StoreError} unless there are 8 rows of one width, which could not be told apart again. */
const bytesOfTensor = (rows: readonly Float32Array[]): Uint8Array => {
	if (rows.length !== dimensions.length || rows.some(row => row.length !== rows[0]!.length)) {
		throw new StoreError(`A state of rows must have ${dimensions.length} of one length; it has rows of ${rows.map(row => row.length).join(', ') || 'nothing'}. Nothing was written.`);
	}

	return Buffer.concat(rows.map(bytesOf));
};

/** Of the texts as they are stored: UTF-8 has no lone surrogates. */
const digestOf = ({type, content, vector}: StoredThought): Uint8Array =>
	createHash('sha256').update(JSON.stringify([type, content].map(text => text?.toWellFormed()))).update(bytesOf(vector)).digest();
