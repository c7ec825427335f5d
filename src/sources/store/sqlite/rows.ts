/** The tables of a store in SQLite. */
import type {DatabaseSync} from 'node:sqlite';
import {nulSafeColumn, nulSafeText} from '../../../platform/sqlite/open-database.ts';
import {createRowReader, directionFields, stateFields, thoughtFields, type Row} from '../row-codec.ts';
import type {StoredItems, Written} from '../store.ts';

/** A thought is identified by the digest of its type, content and vector. Ids of thoughts and directions grow in order of import. */
export const tables = `
	create table states (
		state_id integer primary key, timestamp text not null, model text, kind text not null, vectors blob not null
	) strict;
	create table thoughts (
		id integer primary key, digest blob not null unique, type text, content text, model text, vector blob not null
	) strict;
	create table directions (
		id integer primary key, category text not null, name text not null, pole_positive text not null, pole_negative text not null,
		model text, vector blob not null, unique (category, name)
	) strict;
`;

const selectTexts = (...columns: string[]): string => columns.map(column => nulSafeColumn(column)).join(', ');

/** The columns that the functions below read, with their table. */
export const selections = {
	state: `state_id, ${selectTexts('timestamp', 'model')}, kind, vectors from states`,
	thought: `${selectTexts('type', 'content', 'model')}, vector from thoughts`,
	direction: `${selectTexts('category', 'name', 'pole_positive', 'pole_negative', 'model')}, vector from directions`,
};

export const toItem = createRowReader(nulSafeText);

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
		count(stateBefore.get(state.stateId), putState.run(...stateFields(state)));
	}

	const addThought = database.prepare(
		`insert into thoughts (digest, type, content, model, vector) values (?, ?, ?, ?, ifnull(?, x'')) on conflict do nothing`,
	);
	for (const thought of thoughts) {
		count(undefined, addThought.run(...thoughtFields(thought)));
	}

	const directionBefore = database.prepare('select id from directions where (category, name) = (?, ?)');
	const putDirection = database.prepare(`
		insert into directions (category, name, pole_positive, pole_negative, model, vector) values (?, ?, ?, ?, ?, ifnull(?, x''))
		on conflict do update set
			pole_positive = excluded.pole_positive, pole_negative = excluded.pole_negative, model = excluded.model, vector = excluded.vector
		where (pole_positive, pole_negative, model, vector)
			is not (excluded.pole_positive, excluded.pole_negative, excluded.model, excluded.vector)`);
	for (const direction of directions) {
		count(directionBefore.get(direction.category, direction.name), putDirection.run(...directionFields(direction)));
	}

	return written;
};
