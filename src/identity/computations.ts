/** Computes answers from an identity's past, by question name. A new question in the table needs a line here. */
import type {
	Difference, DifferenceRequest, HeldRequest, History, HistoryRequest, Ledger, LedgerRequest, Questions,
} from '../generated/types.ts';
import {describeInForce, toPastRevision} from '../instruments/describe-revision.ts';
import type {ReadyContext} from '../actors/process-context.ts';
import {describeQuarantine} from '../actors/quarantine.ts';
import {readQuarantine} from './ask-held.ts';
import type {IdentityParts} from './local-identity.ts';
import {withNote} from './unread-texts.ts';
import {cutText} from '../platform/plain-line.ts';
import {InputError} from '../platform/errors.ts';
import {describeDifference, toQuestion} from '../instruments/describe-difference.ts';
import {describeLedger, describeUnmoved} from '../instruments/describe-ledger.ts';
import {groupings} from '../instruments/ledger.ts';
import {completeHistory, withChart, type FollowedDirection} from '../instruments/history.ts';
import {lenses, selectReadable, toRead} from '../instruments/scaled-profile.ts';
import {hintAt} from '../platform/unknown-names.ts';
import {dot} from '../kernel/dot.ts';
import {pastStateAt} from '../instruments/past/find-moment.ts';
import {dimensionOf, keyOf, type Direction} from '../semiosis/profile.ts';

/** The parts of an identity, and its present when it was asked. */
type Asked = Omit<IdentityParts, 'boot'> & ReadyContext;

const askLedger = async (
	{past, state, boot: {directions}}: Asked, {by = 'text', direction, lens = 'own', since = 'beginning', limit = 20}: LedgerRequest,
	signal?: AbortSignal,
): Promise<Ledger> => {
	requireWord('by', by, groupings);
	requireWord('lens', lens, lenses);
	requireInteger('limit', limit, {minimum: 1, maximum: 1000});
	const along = direction == null ? null : findDirection(directions, direction);
	const dimension = along && lens === 'own' ? dimensionOf(along.category) : 'thirdness';
	if (along && dimension !== 'thirdness') {
		return describeUnmoved(state, {by, direction: direction!, dimension, value: dot(state.row(dimension), along.vector)});
	}

	const {answer, from} = await past.ask('ledger', {by: [by], limit, direction: along && along.vector}, {from: since}, {signal});
	return describeLedger({...answer, from: pastStateAt(answer.from, from)}, {by, direction: direction ?? null});
};

const askHistory = async (
	{past, drifts, boot: {directions}}: Asked, {points = 200, direction, since = 'beginning', until = 'present'}: HistoryRequest,
	signal?: AbortSignal,
): Promise<History> => {
	requireInteger('points', points, {minimum: 2, maximum: 10_000});
	const followed = direction == null ? null : toFollowed(directions, direction);
	const {answer, from, to} = await past.ask('history', async (_, __, totals) => ({
		points, direction: followed, before: await totals(),
	}), {from: since, to: until}, {signal});
	const history = await completeHistory(answer, followed, async seq => past.readCycle(seq));
	const [first, ...others] = history.points;
	return withChart({
		...history, from: pastStateAt(history.from, from), to: pastStateAt(history.to, to),
		points: [{...first!, ...pastStateAt(first!, from)}, ...others],
	}, await drifts.chartTrail(signal));
};

const askDifference = async (
	{past, machine: {kernel}, boot: {directions}}: Asked, {from = 'beginning', to = 'present'}: DifferenceRequest, signal?: AbortSignal,
): Promise<Difference> => {
	const {answer, from: first, to: last} = await past.ask('ledger', toQuestion, {from, to}, {signal});
	return {
		...describeDifference(kernel, first.state, last.state, directions, answer),
		from: pastStateAt(first.state, first), to: pastStateAt(last.state, last),
	};
};

/**
 * Finds a readable direction, with the tone taken out of its vector; the tone itself is one too.
 *
 * @throws {InputError} for a direction that is unknown, has no vector, or has too low a quality to be read
 */
const findDirection = (directions: readonly Direction[], key: string): Direction & {vector: Float32Array} => {
	// JavaScript callers may pass anything.
	if (typeof key !== 'string') {
		throw new InputError(`A direction is named by a text such as relational.trust, not ${String(key)}. The profile names all.`);
	}

	const readable = selectReadable(directions);
	const isMeant = (direction: Direction) => keyOf(direction) === key;
	const found = readable.find(isMeant);
	const weak = found ? undefined : toRead(directions).find(isMeant);
	if (weak) {
		throw new InputError(`The direction “${key}” tells its poles apart in too few sentences (quality ${weak.reading!.quality.toFixed(2)}) `
			+ 'to be read. The scaled profile says what each is worth.');
	}

	if (!found) {
		throw new InputError(`There is no direction “${cutText(key, 60)}”${hintAt(key, readable.map(keyOf))}. The profile names all.`);
	}

	return found as Direction & {vector: Float32Array};
};

/** Reduces the scale to what the thread needs: mean and standard deviation. */
const toFollowed = (directions: readonly Direction[], key: string): FollowedDirection => {
	const {vector, scale} = findDirection(directions, key);
	return {key, vector, scale: scale ? {mean: scale.mean, deviation: scale.deviation} : null};
};

const requireWord = (name: string, word: string, words: readonly string[]): void => {
	if (!words.includes(word)) {
		throw new InputError(`The ${name} of a ledger is one of ${words.join(', ')}, not “${word}”.`);
	}
};

/** @throws {InputError} unless the value is a whole number from the minimum to the maximum */
export const requireInteger = (name: string, value: number, {minimum, maximum}: {minimum: number; maximum: number}): void => {
	if (!(Number.isInteger(value) && value >= minimum && value <= maximum)) {
		throw new InputError(`${name} is a whole number from ${minimum} to ${maximum}, not ${value}.`);
	}
};

type Compute<Request, Answer> = (asked: Asked, request: Request, signal?: AbortSignal) => Promise<Answer>;

/** Adds the notes on texts that weigh nothing and on held texts. */
const withDecisions = <View extends {readonly note?: string | null}>(view: View, {revision, quarantine}: Asked): View =>
	withNote(withNote(view, describeInForce(revision)), describeQuarantine(quarantine));

/** Returns a function that adds the number of held texts of its source to a row. */
const heldIn = async ({past, quarantine}: Asked): Promise<<Row extends object>(row: Row, source: string) => Row & {held?: number}> => {
	const {sources} = quarantine.waiting === 0 ? {sources: []} : await readQuarantine(past, quarantine, {limit: 0});
	const held = new Map(sources.map(({source, texts}) => [source, texts]));
	return (row, source) => held.has(source) ? {...row, held: held.get(source)!} : row;
};

export const computations = {
	async ledger(asked, request: LedgerRequest, signal) {
		const ledger = await askLedger(asked, request, signal);
		const withHeld = await heldIn(asked);
		const entries = ledger.entries.map(entry => ledger.by === 'source' && entry.kind === 'texts' ? withHeld(entry, entry.key) : entry);
		return withDecisions({...ledger, entries}, asked);
	},
	history: askHistory,
	diff: async (asked, request: DifferenceRequest, signal) => withDecisions(await askDifference(asked, request, signal), asked),
	drift: async (asked, request, signal) =>
		withDecisions(withNote(await asked.drifts.drift(request, signal), await asked.unread.read()), asked),
	async sources(asked, request, signal) {
		const answer = await asked.drifts.sources(request, signal);
		const withHeld = await heldIn(asked);
		return withDecisions({...answer, sources: answer.sources.map(row => withHeld(row, row.source))}, asked);
	},
	uptake: async (asked, request, signal) => withDecisions(await asked.drifts.uptake(request, signal), asked),
	revisions: async ({past}, _, signal) => ({revisions: (await past.decisions(signal)).map(toPastRevision)}),
	async held({past, quarantine, watch}, request: HeldRequest, signal) {
		requireInteger('limit', request.limit ?? 0, {minimum: 0, maximum: 200});
		return readQuarantine(past, quarantine, request, watch, signal);
	},
} satisfies {
	readonly [Name in keyof Questions]?: Compute<NonNullable<Parameters<Questions[Name]>[0]>, Awaited<ReturnType<Questions[Name]>>>;
};

/** The questions that are computed from the past. */
export type ComputedName = keyof typeof computations;

/** Makes a method for each computation. @param perform Runs a computation once the identity is ready. */
export const answering = (perform: (compute: Compute<object, object>, request: object, signal?: AbortSignal) => Promise<object>) =>
	Object.fromEntries(
		Object.entries(computations).map(([name, compute]) => [
			name, async (request = {}, {signal}: {signal?: AbortSignal} = {}) => perform(compute as Compute<object, object>, request, signal),
		]),
	) as unknown as Pick<Questions, ComputedName>;
