/**
 * A digest of some records: the numbers of their cycles, and what all texts of a source, of a trigger and of a method are
 * together, weighted as the state after them weighs them. So ledgers and histories of a long past read the newest records alone.
 *
 * It has no text, and no vector but these sums and a checksum of them all: a replay reads the vectors, and needs nothing else of
 * the records. Of a source with one text the sum is that text's vector: where a text is
 * forgotten, digests are cleared and made again.
 */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, RecordedProposal, StoredCycle} from '../journal/journal.ts';
import type {StoredDigest} from '../journal/digest-store.ts';
import {usedWidth} from '../journal/float-codec.ts';
import {width} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {methods, type Proposals} from '../semiosis/fixation.ts';
import {turnMrad} from '../kernel/dot.ts';
import {hashFloats, hashOf} from './hash.ts';
import type {Instrument} from './instrument.ts';
import {conversationOf, happenedAt, isOwn, readName, sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind, type Edge} from './stretch.ts';
import {remainders, unrollFrom, type Factors} from './unroll.ts';

/** How many records a digest is of. */
export const digestLength = 500;

/** The sums of so many names are kept apart: strangers may make up hundreds. */
const maxSums = 64;

/** Which sum a name has, by its place. */
export const sumOf = (place: number): number => Math.min(place, maxSums);

const sumsOf = (names: readonly string[]): number => Math.min(names.length, maxSums + 1);

const columns = [
	'seq', 'stateId', 'time', 'total', 'turn', 'kept', 'secondness', 'valeurs', ...methods, 'source', 'trigger', 'idHash', 'isOwn',
	'authorityCoefficient', 'authorityFrom', 'scienceCoefficient', 'scienceFrom',
] as const;

type Column = (typeof columns)[number];

/** The rows that a proposal may pull from, by their places in the columns. */
export const pulls = ['secondness', 'thirdness', 'valeurs'] as const satisfies Array<RecordedProposal['from']>;

/** What is digested changes its form with this number: what another version made is not read. */
export const digestForm = 2;

export type DigestHead = {
	readonly form: number;
	/** The numbers of its first and its last record. */
	readonly first: number;
	readonly last: number;
	/** Why the life begins again within; null where it continues. What is said is then of what comes after. */
	readonly begins: Exclude<BeginningKind, 'birth' | 'moment'> | null;
	readonly from: PastState;
	readonly to: PastState;
	readonly isHashed: boolean;
	/** Whether its cycles alone changed the state. */
	readonly isPlain: boolean;
	/** How many cycles it has. */
	readonly cycles: number;
	/** Id of its last record. */
	readonly id: string;
	/** The names that the columns `source` and `trigger` count, the most frequent first. */
	readonly sources: readonly string[];
	readonly triggers: readonly string[];
	/** The conversations of its texts. */
	readonly conversations: readonly string[];
	/** How wide a sum is, and each vector before the zeros at its end. */
	readonly width: number;
	/** Of the vectors. */
	readonly checksum: number;
};

export type Digest = Omit<DigestHead, 'from' | 'to'> & {
	readonly from: Edge;
	readonly to: Edge;
	readonly columns: Readonly<Record<Column, Float64Array>>;
	/** Σ weight · vector, in the order of their names, or of {@link methods}; the last of many is of all other names. */
	readonly bySource: readonly Float32Array[];
	readonly byTrigger: readonly Float32Array[];
	readonly byMethod: readonly Float32Array[];
};

/** What is kept of a cycle until its digest is made. */
type Item = {
	readonly seq: number; readonly stateId: number; readonly time: number; readonly total: number; readonly turn: number;
	readonly factors: Factors; readonly source: string; readonly trigger: string; readonly conversation: string | null;
	readonly idHash: number; readonly isOwn: boolean; readonly proposals: Proposals; readonly vector: Float32Array;
};

/** Makes digests of the whole stretches of {@link digestLength} records that it takes. */
export const runDigest: Instrument<null, readonly StoredDigest[]> = start => {
	const digests: StoredDigest[] = [];
	let first = start.seq + 1;
	let seq = start.seq;
	let state = start.start.state;
	let [id, isHashed, isPlain] = ['', false, true];
	const begin = () => collectStretch<Item>({...start, seq: first - 1, start: {...start.start, state}}, from => {
		const follow = unrollFrom(start.rules.kernel, from.rows);
		let before = from.row('thirdness');
		return (cycle: StoredCycle): Item => {
			const turn = turnMrad(before, cycle.thirdness);
			before = cycle.thirdness;
			isHashed ||= cycle.isHashed;
			return {
				seq, stateId: cycle.stateId, time: happenedAt(cycle), total: cycle.total, turn, factors: follow(cycle),
				source: sourceOf(cycle), trigger: readName(cycle.trigger) ?? '', conversation: conversationOf(cycle),
				idHash: hashOf(cycle.id), isOwn: isOwn(cycle), proposals: cycle.proposals, vector: cycle.vector,
			};
		};
	});
	let current = begin();

	const end = (): void => {
		const {begins, from, to, cycles} = current.collected();
		const isAnew = begins === 'reset' || begins === 'compaction';
		digests.push(encodeDigest({first, last: seq, id, begins: isAnew ? begins : null, isHashed, isPlain}, from, to, cycles));
		state = to;
		first = seq + 1;
		[isHashed, isPlain] = [false, true];
		current = begin();
	};

	return {
		take(entries: readonly JournalEntry[]) {
			for (const entry of entries) {
				[seq, id] = [entry.seq, entry.record.id];
				isPlain &&= ['cycle', 'held'].includes(entry.record.kind) || !('checkpoint' in entry.record);
				current.take([entry]);
				// A snapshot may stand for more.
				if (seq >= Math.ceil(first / digestLength) * digestLength) {
					end();
				}
			}
		},
		answer: () => digests,
	};
};

/** @param items in their order */
const encodeDigest = (
	range: Pick<DigestHead, 'first' | 'last' | 'id' | 'begins' | 'isHashed' | 'isPlain'>,
	from: StateTensor, to: StateTensor, items: readonly Item[],
): StoredDigest => {
	const left = remainders(items.map(({factors}) => factors));
	const used = Math.max(0, ...items.map(({vector}) => usedWidth(vector)));
	/** Σ weight · vector for each of some names. */
	const sums = (count: number, placeOf: (item: Item) => number, weightOf: (factors: Factors) => number): Float32Array[] => {
		const rows = Array.from({length: count}, () => new Float64Array(used));
		for (const [i, item] of items.entries()) {
			const weight = weightOf(item.factors) * left[i + 1]!;
			if (weight !== 0) {
				addTo(rows[placeOf(item)]!, item.vector, weight);
			}
		}

		return rows.map(row => new Float32Array(row));
	};

	const [sources, triggers] = [countNames(items.map(({source}) => source)), countNames(items.map(({trigger}) => trigger))];
	const places = {source: toPlaces(sources), trigger: toPlaces(triggers)};
	const sumsBy = (by: 'source' | 'trigger', names: readonly string[]) =>
		sums(sumsOf(names), item => sumOf(places[by].get(item[by])!), ({text}) => text);
	const conversations = [...new Set(items.flatMap(({conversation}) => conversation ?? []))];
	const head: DigestHead = {
		form: digestForm, ...range, from: toPastState(from), to: toPastState(to), cycles: items.length, sources, triggers, conversations,
		width: used, checksum: hashFloats(items.map(({vector}) => vector.subarray(0, used))),
	};
	const numbers = items.map(item => numbersOf(item, places));
	const values = columns.flatMap(column => numbers.map(each => each[column]));
	const rows = [
		from.row('thirdness'), to.row('thirdness'),
		...sumsBy('source', sources), ...sumsBy('trigger', triggers),
		...methods.flatMap(method => sums(1, () => 0, ({byMethod}) => byMethod[method])),
	];
	return {head, body: toBytes([Float64Array.from(values), ...rows])};
};

const addTo = (row: Float64Array, vector: Float32Array, weight: number): void => {
	for (let i = 0; i < row.length; i++) {
		row[i]! += weight * vector[i]!;
	}
};

const toBytes = (parts: ReadonlyArray<Float32Array | Float64Array>): Uint8Array => {
	const bytes = new Uint8Array(parts.reduce((sum, {byteLength}) => sum + byteLength, 0));
	let place = 0;
	for (const {buffer, byteOffset, byteLength} of parts) {
		bytes.set(new Uint8Array(buffer, byteOffset, byteLength), place);
		place += byteLength;
	}

	return bytes;
};

/** Names, the most frequent first. */
const countNames = (names: readonly string[]): string[] =>
	[...Map.groupBy(names, name => name)].toSorted(([, a], [, b]) => b.length - a.length).map(([name]) => name);

const toPlaces = (names: readonly string[]) => new Map(names.map((name, place) => [name, place]));

const numbersOf = (
	{factors: {byMethod, ...factors}, proposals: {authority, science}, ...item}: Item,
	{source, trigger}: Record<'source' | 'trigger', ReadonlyMap<string, number>>,
): Record<Column, number> => ({
	...item, ...factors, ...byMethod,
	source: source.get(item.source)!, trigger: trigger.get(item.trigger)!, isOwn: Number(item.isOwn),
	authorityCoefficient: authority.coefficient, authorityFrom: pulls.indexOf(authority.from),
	scienceCoefficient: science.coefficient, scienceFrom: pulls.indexOf(science.from),
});

/** The head of a stored digest alone: reading it costs nothing. */
export const headOf = ({head}: StoredDigest): DigestHead => head as DigestHead;

export const decodeDigest = (stored: StoredDigest): Digest => {
	const head = headOf(stored);
	const {buffer, byteOffset} = stored.body;
	let place = byteOffset;
	const take = <Floats extends Float32Array | Float64Array>(
		Kind: {new (bytes: ArrayBufferLike, at: number, length: number): Floats; BYTES_PER_ELEMENT: number}, length: number,
	): Floats => {
		const floats = new Kind(buffer, place, length);
		place += length * Kind.BYTES_PER_ELEMENT;
		return floats;
	};

	const values = Object.fromEntries(columns.map(column => [column, take(Float64Array, head.cycles)]));
	const rows = (count: number, length = head.width) => Array.from({length: count}, () => take(Float32Array, length));
	const [from, to] = rows(2, width);
	return {
		...head, from: {...head.from, thirdness: from!}, to: {...head.to, thirdness: to!}, columns: values as Digest['columns'],
		bySource: rows(sumsOf(head.sources)), byTrigger: rows(sumsOf(head.triggers)), byMethod: rows(methods.length),
	};
};
