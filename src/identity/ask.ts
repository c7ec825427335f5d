/** Questions to an identity's past and future. An instrument answers each; the identity does not change. */
import {askWhatIf, dryRun} from './ask-past.ts';
import {answering, type ComputedName} from './computations.ts';
import {checkRequest} from './cycle-request.ts';
import type {LocalIdentity} from './identity.ts';
import type {IdentityParts} from './local-identity.ts';
import {toTensorView} from './selectors.ts';
import type {BootResult} from '../actors/boot-steps.ts';
import type {MachineDeps} from '../actors/deps.ts';
import {haltedError} from '../actors/process-context.ts';
import {InputError, JournalError} from '../platform/errors.ts';
import {createMemoryJournal} from '../journal/memory-journal.ts';
import type {Place} from '../instruments/past/find-moment.ts';
import type {IdentityOptions} from './options.ts';

type Answers = Pick<LocalIdentity, ComputedName | 'dryRun' | 'whatIf' | 'stateAt' | 'fork' | 'records'>;

export const createAnswers = (parts: IdentityParts): Answers => {
	const {machine, admission, past, questions, open, timers: clock, warn, getContext} = parts;

	/** While the journal cannot be written it is closed, so a failed read then is reported as temporary. */
	const reading = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => call().catch((error: unknown) => {
		const {journalError} = getContext();
		throw journalError !== null && error instanceof JournalError && error.code === 'journal'
			? haltedError(journalError, 'The past cannot be read', error)
			: error;
	});

	const enter = async <Answer>(call: () => Promise<Answer>, signal: AbortSignal | undefined): Promise<Answer> =>
		admission.enter(async () => reading(call), signal);

	return {
		dryRun: async (request, {signal} = {}) => admission.takeDryRun(async () =>
			admission.admit(() => checkRequest(request), async order => dryRun(order, parts, signal), signal)),

		whatIf: async (request = {}, {signal} = {}) => enter(async () => askWhatIf(request, parts, signal), signal),

		stateAt: async (moment, {signal} = {}) => enter(async () => toTensorView((await past.find(moment, signal)).state), signal),

		fork: async ({at} = {}, {signal} = {}) => enter(async () => {
			const {state, vigilance, boot: made} = getContext();
			const place = at === undefined ? {state, cumulativeDrift: vigilance.report.cumulativeDrift} : await past.find(at, signal);
			return open({...forkOptions(machine, made, place), questions, clock, warn, signal});
		}, signal),

		records: async (from, count) => reading(async () => past.read(requireWhole('from', from), requireWhole('count', count))),

		...answering(async (compute, request, signal) =>
			admission.accept(async () => reading(async () => compute({...parts, ...getContext()}, request, signal)), signal)),
	};
};

/** JavaScript callers may pass anything, and a database's own error would not help them. @throws {InputError} */
const requireWhole = (name: string, value: number): number => {
	if (!(Number.isSafeInteger(value) && value >= 0)) {
		throw new InputError(`The argument ${name} of records must be a whole number, not ${String(value)}.`);
	}

	return value;
};

/** The options of a fork. Its parts are borrowed: the fork disposes of none of them. */
const forkOptions = (
	{encoder, translator, corroborate, kernel, time, random, newId, loop}: MachineDeps,
	{initial, reference, passport, authority, directions, themes, isRandom, hasTranslator}: BootResult,
	{state, cumulativeDrift}: Pick<Place, 'state' | 'cumulativeDrift'>,
): IdentityOptions => ({
	encoder, corroborate, kernel, time, random, newId, loop, authority, directions, themes,
	translator: hasTranslator ? {translate: async (request, signal) => translator.translate(request, signal)} : null,
	calibrate: false,
	journal: createMemoryJournal({
		genesis: {initial, reference, passport, isRandom},
		current: state,
		checkpoint: {counters: {}, lastTrigger: null, cumulativeDrift},
	}),
});
