/**
 * Persisted snapshots of the machines as text, and back.
 *
 * What a machine holds is of two kinds. Values (vectors, states, what was measured) are written
 * whole. What lives (a kernel, an encoder, a journal, functions) is written as a name, and
 * whoever reads the text gives it again, as {@link Live}. So nothing of a configuration, and no
 * key, is in the text; what was said to the process is, in the cycles under way and in the last ones.
 *
 * The services of a process are made anew, of what was written and of what is given. The living
 * state is that of the last turn: of the last cycle or reset that is on its way to the journal,
 * else the published one.
 */
import type {Snapshot} from 'xstate';
import type {Encoder} from '../embedding/encoder.ts';
import {ConfigurationError, JournalError} from '../errors.ts';
import type {Journal} from '../journal/journal.ts';
import type {Translator} from '../language/translator.ts';
import type {Vigilance} from '../semiosis/vigilance.ts';
import type {StateTensor} from '../tensor/state-tensor.ts';
import type {Random, Time} from '../clock.ts';
import type {BootSources, Born} from './boot.ts';
import type {CycleContext, CycleServices, LivingState} from './cycle.ts';
import type {Handle} from './handle.ts';
import {readValue, readVector, ValueWriter, type Reading, type WrittenObject, type WrittenVector} from './persisted-values.ts';
import type {ProcessInput} from './process.ts';
import type {ResetContext} from './reset.ts';
import type {Tally} from './tally.ts';
import type {TranslationMeans} from './translation.ts';
import {Turns, type Place} from './turns.ts';

/**
 * What lives, and is given to a snapshot that is read. Which of it, depends on the machine:
 *
 * - a process: `input`; once its model was loaded, `encoder`; and `translator` where it had one.
 * - a boot alone: `sources`, and the same two.
 * - cycles alone: `services`.
 * - a daemon alone: `time` and `random`.
 * - a reset alone: `services`.
 * - a translation alone: `means`.
 */
export type Live = {
	input?: ProcessInput;
	/** Of the same model as before. */
	encoder?: Encoder;
	translator?: Translator;
	sources?: BootSources;
	/** With the living state as the cycles that are read left it. */
	services?: CycleServices;
	time?: Time;
	random?: Random;
	/** As it was when the snapshot was taken: holding the same, and open; but closed where a boot has yet to open it. */
	journal?: Journal;
	means?: TranslationMeans;
};

/** One moment on both clocks: how much of the monotonic one has passed meanwhile, only the wall clock knows. */
type Moment = {now: number; elapsed: number};

const format = 'processual-state snapshot 1';

type Written = {format: typeof format; moment: Moment; vectors: WrittenVector[]; snapshot: unknown};

/**
 * Writes what `actor.getPersistedSnapshot()` gave, of any of the machines or of a machine that has
 * them as children. Write it at once: parts of a context change in place.
 *
 * @param time The clock that the machines go by.
 * @throws {TypeError} for a value that cannot be written, with its place.
 *
 * @example
 * ```ts
 * import {processMachine, snapshotFromJson, snapshotToJson, type Live, type ProcessInput} from 'processual-state/actors';
 * import {createActor, type Actor} from 'xstate';
 *
 * const put = (actor: Actor<typeof processMachine>): string =>
 * 	snapshotToJson(actor.getPersistedSnapshot(), {now: () => Date.now(), elapsed: () => performance.now()});
 *
 * const takeUp = (text: string, live: Live & {input: ProcessInput}): Actor<typeof processMachine> => {
 * 	const actor = createActor(processMachine, {input: live.input, snapshot: snapshotFromJson(text, live)}).start();
 * 	actor.send({type: 'resume'});
 * 	return actor;
 * };
 * ```
 */
export const snapshotToJson = (snapshot: Snapshot<unknown>, time: Time): string => {
	const writer = new ValueWriter();
	const written = writer.write(snapshot, 'snapshot');
	return JSON.stringify({format, moment: {now: time.now(), elapsed: time.elapsed()}, vectors: writer.vectors, snapshot: written} satisfies Written);
};

/**
 * Reads what {@link snapshotToJson} wrote, as the `snapshot` of a new actor of the same machine.
 *
 * - After the start, send a process or a daemon `{type: 'resume'}`, before anything else: XState
 *   does not keep timers, so what was waited for is waited for anew, from the beginning.
 * - What was under way is begun again: an embedding, a question to science, a step of the boot, a
 *   translation, an append to the journal.
 * - Time went on meanwhile: the monotonic clock is set on by what passed on the wall clock.
 * - The journal must hold what it held when the snapshot was taken, and be open; where a boot was
 *   not beyond its step `journal`, it must not, since the boot opens it. A record that was on its way is appended now, the records in the order of their turns. A process that
 *   has a journal needs no snapshot to survive: of the two, the journal knows better, and with a
 *   younger one begin a new process. While a process is halted, what was on its way fails.
 * - An error comes back with its class where that is one of this package, its name, message,
 *   code and cause.
 *
 * @param live What the snapshot refers to.
 * @throws {ConfigurationError} for something that the snapshot refers to and `live` does not have, with its name, and for another text.
 */
export const snapshotFromJson = (text: string, live: Live): Snapshot<unknown> => {
	const {moment, vectors, snapshot} = parsed(text);
	const given = onwards(live, moment);
	return readValue(snapshot, {vectors: vectors.map(vector => readVector(vector)), live: name => named(given, name), special: readProcess}) as Snapshot<unknown>;
};

const parsed = (text: string): Written => {
	const written = parsedJson(text) as Written | null;
	if (written?.format !== format) {
		throw otherText();
	}

	return written;
};

const parsedJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw otherText(error);
	}
};

const otherText = (cause?: unknown): ConfigurationError =>
	new ConfigurationError(`The text is no “${format}”. Give what snapshotToJson of this version wrote.`, {cause});

/** What is given itself, and what stands in it; all of it with a clock that goes on from that moment. */
const onwards = (live: Live, {now, elapsed}: Moment): Live => {
	const sources = live.sources ?? live.input?.sources;
	const clock = live.time ?? sources?.time ?? live.services?.time;
	if (!clock) {
		return live;
	}

	const shift = elapsed + Math.max(0, clock.now() - now) - clock.elapsed();
	const time: Time = {now: () => clock.now(), elapsed: () => clock.elapsed() + shift};
	const {random = sources?.random, journal = sources?.journal, input, services} = live;
	return {
		...live,
		time,
		...(random && {random}),
		...(journal && {journal}),
		...(sources && {sources: {...sources, time}}),
		...(input && {input: {...input, sources: {...input.sources, time}}}),
		...(services && {services: {...services, time}}),
	};
};

const named = (live: Live, name: string): unknown => {
	const found = (live as Record<string, unknown>)[name];
	if (found === undefined) {
		throw new ConfigurationError(`The snapshot refers to something alive by the name “${name}”, which is not in it. Give snapshotFromJson the option ${name}.`);
	}

	return found;
};

/** A process is what refers to its `input`. Its children share the services that are made of its context. */
const readProcess = (written: WrittenObject, reading: Reading): object | undefined => {
	const {context, children, ...rest} = written as {context?: WrittenObject; children?: Record<string, WrittenChild>};
	if (!children || (context?.['input'] as {name?: unknown} | null | undefined)?.name !== 'input') {
		return undefined;
	}

	const {services: writtenServices, ...parts} = context!;
	const own = readValue(parts, reading) as ReadContext;
	const services = own.born && servicesOf(own, reading.live);
	const within = services ? knowing({services, means: meansOf(own, services)}, reading) : reading;
	const {value} = rest as {value?: {ready?: {halted?: string}}};
	const isHalted = value?.ready?.halted !== undefined;
	const readChildren = inTurn(Object.entries(children).map(([name, child]): [string, ReadChild] =>
		[name, services && isHalted && isRecording(child) ? readRefused(child, within, services) : readValue(child, within) as ReadChild]));
	const last = readChildren.at(-1)?.[1];
	if (services) {
		const isAhead = last && isRecording(last) && !isHalted;
		Object.assign(services.living, isAhead && turnOf(last));
		const line = readChildren.filter(([, child]) => isInLine(child)).toSorted(([, one], [, other]) => numberOf(one) - numberOf(other));
		const latest = Math.max(0, ...readChildren.filter(([, child]) => hasTurn(child)).map(([, child]) => numberOf(child)));
		services.turns = new Turns(isAhead ? tallyOf(last) : own.tally, line.map(([actor, child]) => [numberOf(child), placeOf(actor, child)]), latest);
	}

	return {
		...readValue(rest, reading) as object,
		context: {...own, services: readValue(writtenServices, within)},
		children: Object.fromEntries(readChildren),
	};
};

type ReadContext = {input: Handle<ProcessInput>; born: Handle<Born> | null; state: StateTensor | null; vigilance: Handle<Vigilance> | null; tally: Tally};

type Child = {src: string; snapshot: {value?: unknown}};

type WrittenChild = Child & {snapshot: WrittenObject};

/** Of the children, those that have turns. */
type ReadChild =
	| {src: 'cycle'; snapshot: {value: unknown; context: CycleContext; children: unknown}}
	| {src: 'reset'; snapshot: {value: unknown; context: ResetContext; children: unknown}};

const knowing = (more: Record<string, unknown>, reading: Reading): Reading => ({...reading, live: name => more[name] ?? reading.live(name)});

const servicesOf = ({input, born, state, vigilance}: ReadContext, live: Reading['live']): CycleServices => {
	const {kernel, journal, corroborate} = input.value.sources;
	const {encoder, authority, reference} = born!.value;
	return {
		kernel,
		journal,
		corroborate,
		encoder,
		authority,
		reference,
		time: live('time') as Time,
		living: {state: state!, vigilance: vigilance!.value},
		turns: new Turns(),
	};
};

const meansOf = ({born}: ReadContext, {kernel, encoder}: CycleServices): Partial<TranslationMeans> => {
	const {translator, directions} = born!.value;
	return {...(translator && {translator}), encoder, kernel, directions};
};

/** Whether it had its turn, and is on its way to the journal. */
const isRecording = ({src, snapshot}: Child): boolean => (src === 'cycle' || src === 'reset') && snapshot.value === 'recording';

/** What the last turn left, as the turn's own actor has it. */
const turnOf = (child: ReadChild): LivingState => {
	const {state, vigilance} = child.src === 'cycle' ? child.snapshot.context.progress.outcome!.value : child.snapshot.context.restored.value;
	return {state, vigilance};
};

const tallyOf = (child: ReadChild): Tally =>
	child.src === 'cycle' ? child.snapshot.context.progress.outcome!.value.tally : child.snapshot.context.outcome!.value.tally;

const hasTurn = ({src}: Child): boolean => src === 'cycle' || src === 'reset';

const numberOf = (child: ReadChild): number => child.src === 'cycle' ? child.snapshot.context.run.turn : child.snapshot.context.turn;

/** Whether it was accepted, and has not had its turn. */
const isInLine = (child: Child): boolean => hasTurn(child) && ['embedding', 'corroborating', 'queued'].includes(child.snapshot.value as string);

const placeOf = (actor: string, {src, snapshot}: ReadChild): Place => ({actor, kind: src, isReady: snapshot.value === 'queued', trigger: null});

/** The children, those that are on their way to the journal last, in the order of their turns. */
const inTurn = (children: Array<[string, ReadChild]>): Array<[string, ReadChild]> => [
	...children.filter(([, child]) => !isRecording(child)),
	...children.filter(([, child]) => isRecording(child)).toSorted(([, one], [, other]) => numberOf(one) - numberOf(other)),
];

/**
 * A turn whose record the old journal refused, though it was not told yet: it built on a state
 * that never lasted, so a new journal must not take it either.
 */
const readRefused = ({snapshot: {children, ...parts}, ...rest}: WrittenChild, reading: Reading, services: CycleServices): ReadChild => {
	const journal: Pick<Journal, 'append'> = {
		async append() {
			throw new JournalError('The journal failed before this record was in it.');
		},
	};
	const read = readValue({...rest, snapshot: parts}, reading) as ReadChild;
	const refusing = knowing({journal, services: {...services, journal}}, reading);
	return {...read, snapshot: {...read.snapshot, children: readValue(children, refusing)}} as ReadChild;
};
