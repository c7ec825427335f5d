/**
 * Many identities at a glance: `GET /fleet` is answered from a small row for each identity, without opening any. A row is derived
 * from the journal, and names its newest record; a row that is behind the journal is made again.
 */
import type {Fleet, FleetRequest, FleetIdentity, FleetSource, MovingSource} from '../generated/types.ts';
import type {Noticed} from '../journal/validation.ts';
import {InputError} from '../platform/errors.ts';
import {memoizeWeak} from '../platform/immutable.ts';
import {maxMoving} from './answers/fleet.ts';
import {fleetLevel, nameUpTo, pOfMoving} from './name-identities.ts';
import {unusualP} from './drift/findings.ts';

/** The result of the watch on drift. */
export type FleetWatch = Pick<FleetIdentity, 'alarm' | 'p' | 'tailP' | 'distance' | 'unreadShare' | 'readings'> & {
	readonly conversations: number;
	/** Absent before the first search. */
	readonly topSource?: FleetSource | null;
	/** The first of the sources that were noticed since the validation. */
	readonly noticed?: Noticed['sources'];
	/** When the next conversation times out; milliseconds since the epoch. Null if none is open. */
	readonly endsAt: number | null;
};

/** The row of one identity. */
export type FleetRow = Pick<FleetIdentity, 'texts' | 'lastText' | 'level' | 'held' | 'revision' | 'validated'> & {
	/** The number of its newest record; 0 for none. */
	readonly records: number;
	/** Null without a watch. */
	readonly watch: FleetWatch | null;
};

/** The row of a live identity. @property watch Undefined while the watch is starting. */
export type FleetStanding = Omit<FleetRow, 'watch'> & {readonly watch: FleetWatch | null | undefined};

/** The row of an identity. @property isCurrent Whether it covers the newest record. */
export type FleetEntry = {readonly name: string; readonly row: FleetRow; readonly isCurrent: boolean};

/** The row of an identity without records. */
export const emptyRow: FleetRow = {
	records: 0, texts: 0, lastText: null, level: 'ok', held: 0, revision: null, validated: null, watch: null,
};

/** The row that follows another. Values that are not known yet are kept from the earlier one. */
export const nextRow = (before: FleetRow | null, standing: FleetStanding): FleetRow => {
	const {watch} = standing;
	// After a revision or a forgetting, the old watch may show texts that were left out or forgotten.
	const isSame = before !== null && before.validated === standing.validated && before.revision === standing.revision;
	if (watch === undefined) {
		return {...standing, records: before?.records ?? 0, watch: isSame ? before.watch : null};
	}

	return watch === null || watch.topSource !== undefined || !isSame
		? {...standing, watch}
		: {...standing, watch: {...watch, topSource: before.watch?.topSource ?? null}};
};

type Entries = readonly FleetEntry[];

const isUnusual = ({row: {watch}}: FleetEntry): boolean => (watch?.p ?? 1) <= unusualP;

const hasAlarm = ({row: {watch}}: FleetEntry): boolean => watch?.alarm ?? false;

const tailPOf = ({row: {watch}}: FleetEntry): number => watch?.tailP ?? 1;

const wasValidated = ({row: {watch}}: FleetEntry): boolean => watch !== null;

/** Tests whether an identity is named, of all that were validated. */
const namedIn = memoizeWeak((entries: Entries) => {
	const limit = nameUpTo(entries.filter(wasValidated).map(tailPOf));
	return (entry: FleetEntry): boolean => wasValidated(entry) && tailPOf(entry) <= limit;
});

/** The sources that explain the drift of identities, the strongest evidence first. */
const movingIn = (entries: Entries): MovingSource[] => {
	const moved = Map.groupBy(entries, ({row: {watch}}) => watch?.topSource?.explains ? watch.topSource.source : null);
	moved.delete(null);
	const count = entries.filter(wasValidated).length;
	return Array.from(moved as Map<string, FleetEntry[]>, ([source, own]) => {
		const p = pOfMoving(own.map(tailPOf), count);
		return {source, identities: own.length, p, named: p <= fleetLevel};
	}).toSorted((a, b) => a.p - b.p || b.identities - a.identities || compareText(a.source, b.source)).slice(0, maxMoving);
};

const choiceOf = (entries: Entries): Record<NonNullable<FleetRequest['only']>, (entry: FleetEntry) => boolean> =>
	({all: () => true, named: namedIn(entries), alarms: hasAlarm, unusual: isUnusual});

type Compare = (a: FleetEntry, b: FleetEntry) => number;

const compareText = (a: string, b: string): number => a < b ? -1 : Number(a > b);

const byName: Compare = (a, b) => compareText(a.name, b.name);

/** The smallest p first, then the greatest distance. */
const byEvidence: Compare = ({row: {watch: a}}, {row: {watch: b}}) =>
	(a?.tailP ?? 2) - (b?.tailP ?? 2) || (b?.distance ?? 0) - (a?.distance ?? 0) || Number(b?.alarm ?? false) - Number(a?.alarm ?? false);

const orders: Record<NonNullable<FleetRequest['order']>, Compare> = {
	evidence: (a, b) => byEvidence(a, b) || byName(a, b),
	newest: (a, b) => compareText(b.row.lastText ?? '', a.row.lastText ?? '') || byName(a, b),
	name: byName,
};

/** Memoized, because rows change less often than they are read. */
const inOrder = (compare: Compare) => memoizeWeak((entries: Entries) => entries.toSorted(compare));

const ordered = {evidence: inOrder(orders.evidence), newest: inOrder(orders.newest), name: inOrder(orders.name)};

const countAll = memoizeWeak((entries: Entries) => ({
	total: entries.length,
	alarms: entries.filter(hasAlarm).length,
	named: entries.filter(namedIn(entries)).length,
	level: fleetLevel,
	unusual: entries.filter(isUnusual).length,
	sources: movingIn(entries),
	behind: entries.filter(({isCurrent}) => !isCurrent).length,
}));

/** @param entries In any order; never mutated, because results are memoized. @throws {InputError} if `after` names no identity */
export const askFleet = (entries: Entries, {only = 'all', name = '', order = 'evidence', after = '', limit = 100}: FleetRequest): Fleet => {
	const last = after === '' ? null : entries.find(entry => entry.name === after);
	if (last === undefined) {
		throw new InputError(`There is no identity “${after}” to continue after. Begin again without “after”.`);
	}

	const isChosen = choiceOf(entries)[only];
	const chosen = ordered[order](entries).filter(entry => isChosen(entry) && entry.name.startsWith(name));
	const first = last === null ? 0 : chosen.findIndex(entry => orders[order](entry, last) > 0);
	const page = first < 0 ? [] : chosen.slice(first, first + limit);
	return {
		identities: page.map(entry => toIdentity(entry, namedIn(entries)(entry))),
		next: first >= 0 && chosen.length > first + limit ? page.at(-1)!.name : null,
		found: chosen.length,
		...countAll(entries),
	};
};

const unwatched = {
	conversations: null, alarm: false, p: null, tailP: null, distance: null, topSource: null, unreadShare: null, readings: [],
};

const toIdentity = ({
	name: id, row: {texts, lastText, level, held, revision, validated, watch}, isCurrent,
}: FleetEntry, named: boolean): FleetIdentity => {
	const {conversations, alarm, p, tailP, distance, topSource = null, unreadShare, readings} = watch ?? unwatched;
	return {
		id, texts, lastText, level, held, revision, validated, conversations, alarm, p, tailP, named, distance,
		topSource, unreadShare, readings, isCurrent,
	};
};
