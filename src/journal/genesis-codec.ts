/** The genesis as a row of its table, and back. */
import {dimensions} from '../kernel/dimensions.ts';
import {StateTensor} from '../kernel/state-tensor.ts';
import type {Genesis} from './journal.ts';
import type {Field} from './json.ts';
import {decodeRows, encodeRows} from './float-codec.ts';

/** The columns of `genesis` except `id` and `checksum`. */
export type GenesisRow = {
	initial: Uint8Array;
	initial_state: number;
	initial_timestamp: string;
	reference: Uint8Array;
	reference_state: number;
	reference_timestamp: string;
	/** JSON. */
	passport: string;
	/** 1 if the initial state is random, else 0. */
	random: number;
};

/** In the order of the table. */
export const genesisColumns = [
	'initial', 'initial_state', 'initial_timestamp', 'reference', 'reference_state', 'reference_timestamp', 'passport',
	'random',
] as const satisfies Array<keyof GenesisRow>;

export const genesisFields = (row: GenesisRow): Field[] => genesisColumns.map(column => row[column]);

export const encodeGenesis = ({initial, reference, passport, isRandom}: Genesis): GenesisRow => ({
	initial: encodeRows(initial.rows),
	initial_state: initial.stateId,
	initial_timestamp: initial.timestamp,
	reference: encodeRows(reference.rows),
	reference_state: reference.stateId,
	reference_timestamp: reference.timestamp,
	passport: JSON.stringify(passport),
	random: Number(isRandom),
});

export const decodeGenesis = (row: GenesisRow): Genesis => ({
	initial: new StateTensor(row.initial_state, row.initial_timestamp, decodeRows(row.initial, dimensions.length)),
	reference: new StateTensor(row.reference_state, row.reference_timestamp, decodeRows(row.reference, dimensions.length)),
	passport: JSON.parse(row.passport),
	isRandom: row.random !== 0,
});
