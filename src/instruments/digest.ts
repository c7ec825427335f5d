/**
 * A digest of consecutive records: the numbers of their cycles, and sums of their texts' vectors by source, trigger and method,
 * weighted as in the state after the last. With digests, ledgers and histories of a long past read only the newest records.
 *
 * A digest has no texts, and no vectors except these sums, with a checksum over all vectors. A replay reads the vectors, and needs
 * nothing else of the records. The sum for a source with one text is that text's vector, so a forgetting clears the digests, and
 * they are made again.
 */
import type {PastState} from '../generated/types.ts';
import type {JournalEntry, RecordedProposal, StoredCycle} from '../journal/journal.ts';
import type {StoredDigest} from '../journal/digest-store.ts';
import {usedWidth} from '../journal/float-codec.ts';
import type {BaselineText} from '../journal/validation.ts';
import {width} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {methods, type Proposals} from '../semiosis/fixation.ts';
import {turnMrad} from '../kernel/dot.ts';
import {hashFloats, hashOf} from './hash.ts';
import type {Instrument} from './instrument.ts';
import type {ReplayText} from './replay.ts';
import {conversationOf, happenedAt, isOwn, readName, sourceOf} from './source-of.ts';
import {collectStretch, toPastState, type BeginningKind, type Edge} from './stretch.ts';
import {remainders, unrollFrom, type Factors} from './unroll.ts';

/** The number of records in a digest. */
export const digestLength = 500;

/** The number of names with a separate sum; strangers may make up hundreds. */
const maxSums = 64;

/** The index of a name's sum. @param place The index of the name. */
export const sumOf = (place: number): number => Math.min(place, maxSums);

const sumsOf = (names: readonly string[]): number => Math.min(names.length, maxSums + 1);

const columns = [
	'seq', 'stateId', 'time', 'total', 'turn', 'kept', 'secondness', 'valeurs', ...methods, 'source', 'trigger', 'idHash', 'isOwn',
	'authorityCoefficient', 'authorityFrom', 'scienceCoefficient', 'scienceFrom',
] as const;

type Column = (typeof columns)[number];

/** The rows that a proposal may pull from. The columns `…From` have indices into this list. */
export const pulls = ['secondness', 'thirdness', 'valeurs'] as const satisfies Array<RecordedProposal['from']>;

/** The version of the stored form. Increase it with each change of that; other versions are not read. */
export const digestForm = 2;

export type DigestHead = {
	readonly form: number;
	/** The numbers of its first and its last record. */
	readonly first: number;
	readonly last: number;
	/** A reset or a compaction within the digest, which then covers only what comes after; null if there is none. */
	readonly begins: Exclude<BeginningKind, 'birth' | 'moment'> | null;
	readonly from: PastState;
	readonly to: PastState;
	readonly isHashed: boolean;
	/** Whether only cycles changed the state. */
	readonly isPlain: boolean;
	/** The number of its cycles. */
	readonly cycles: number;
	/** The id of its last record. */
	readonly id: string;
	/** The names behind the indices in the columns `source` and `trigger`, the most frequent first. */
	readonly sources: readonly string[];
	readonly triggers: readonly string[];
	readonly conversations: readonly string[];
	/** The width of the sums, and of each vector without its trailing zeros. */
	readonly width: number;
	/** A checksum over the vectors. */
	readonly checksum: number;
};

export type Digest = Omit<DigestHead, 'from' | 'to'> & {
	readonly from: Edge;
	readonly to: Edge;
	readonly columns: Readonly<Record<Column, Float64Array>>;
	/** Σ weight · vector, in the order of the names, or of {@link methods}. With more than 64 names, the last sum is of all others. */
	readonly bySource: readonly Float32Array[];
	readonly byTrigger: readonly Float32Array[];
	readonly byMethod: readonly Float32Array[];
};

/** A cycle until its digest is made. */
type Item = {
	readonly seq: number; readonly stateId: number; readonly time: number; readonly total: number; readonly turn: number;
	readonly factors: Factors; readonly source: string; readonly trigger: string; readonly conversation: string | null;
	readonly idHash: number; readonly isOwn: boolean; readonly proposals: Proposals; readonly vector: Float32Array;
};

/** Makes a digest of each {@link digestLength} records that it takes; a remainder is left out. */
export const runDigest: Instrument<null, readonly StoredDigest[]> = start => {
	const digests: StoredDigest[] = [];
	let first = start.seq + 1;
	let seq = start.seq;
	let state = start.start.state;
	let [id, isHashed, isPlain] = ['', false, true];
	const begin = () => collectStretch<Item>({...start, seq: first - 1, start: {...start.start, state}}, from => {
		const follow = unrollFrom(from.rows);
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
		const isRestart = begins === 'reset' || begins === 'compaction';
		digests.push(encodeDigest({first, last: seq, id, begins: isRestart ? begins : null, isHashed, isPlain}, from, to, cycles));
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
				// A snapshot may stand for more records, so a digest's last number is not always a multiple.
				if (seq >= Math.ceil(first / digestLength) * digestLength) {
					end();
				}
			}
		},
		answer: () => digests,
	};
};

const encodeDigest = (
	range: Pick<DigestHead, 'first' | 'last' | 'id' | 'begins' | 'isHashed' | 'isPlain'>,
	from: StateTensor, to: StateTensor, items: readonly Item[],
): StoredDigest => {
	const left = remainders(items.map(({factors}) => factors));
	const used = Math.max(0, ...items.map(({vector}) => usedWidth(vector)));
	/** Σ weight · vector by name. @param count The number of sums. @param placeOf The index of an item's sum. */
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

/** The distinct names, the most frequent first. */
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

/** Reads the head alone, without decoding the body. */
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

/** A text of a digest. */
type DigestedText = ReplayText & Pick<BaselineText, 'source' | 'time' | 'isOwn'>;

/**
 * The texts of a digest in order, for a replay: the digest has their proposals and sources, and the journal their vectors. So a what-if
 * of a long past reads a quarter of each record, and builds no record objects. The `timestamp` of each is that of the digest's end.
 *
 * @param vectors The vectors, as `DigestStore.vectors` reads them.
 * @returns null if the digest was made of other vectors
 */
export const textsOf = (digest: Digest, vectors: Float32Array): DigestedText[] | null => {
	const rows = Array.from({length: vectors.length / width}, (_, k) => vectors.subarray(k * width, (k + 1) * width));
	if (hashFloats(rows.map(row => row.subarray(0, digest.width))) !== digest.checksum) {
		return null;
	}

	const {sources, to: {timestamp}, columns: {source, time, isOwn: own, ...proposed}} = digest;
	return rows.map((vector, k) => ({
		kind: 'cycle', timestamp, vector, source: sources[source[k]!]!, time: time[k]!, isOwn: own[k] === 1,
		proposals: {
			authority: {coefficient: proposed.authorityCoefficient[k]!, from: pulls[proposed.authorityFrom[k]!]!},
			science: {coefficient: proposed.scienceCoefficient[k]!, from: pulls[proposed.scienceFrom[k]!]!},
		},
	}));
};
