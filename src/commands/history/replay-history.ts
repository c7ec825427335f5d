/** Lets an identity hear a history in order of time, and validates it on the way. */
import type {LocalIdentity} from '../../identity/identity.ts';
import type {CycleAnswer, ValidationView} from '../../identity/views.ts';
import {horizons} from '../../instruments/drift/paths.ts';
import {phrase} from '../../platform/phrase.ts';
import {BaselineTooShortError, UnreadTextsError} from '../../platform/errors.ts';
import type {StagedText} from './staged-history.ts';

/** Concurrent texts: the next are embedded while one has its turn, and one sync writes several records. */
const maxUnderWay = 64;

/** The number of further texts after which a validation that had too few is tried again. */
const tryEvery = 50;

export type ReplayOptions = {
	/** The index, from 0, of the text before which to validate; `total` for after all of them; null for never. */
	readonly validateBefore: number | null;
	/** The number of texts in the history. */
	readonly total: number;
	/** How many of them the identity has heard before; `texts` does not contain those. */
	readonly heard: number;
	readonly note: string;
	readonly onText: (done: number) => void;
};

export type Replayed = {
	/** How many texts were new to the identity. */
	readonly heard: number;
	/** Null if none was made, or if an earlier call made one. */
	readonly validation: ValidationView | null;
	/** Why there is no validation, or a caveat about it; null for none. */
	readonly problem: string | null;
};

/** @throws whatever a cycle throws; texts heard before that are kept, and the same call resumes after them */
export const replayHistory = async (
	identity: LocalIdentity, texts: Iterable<StagedText>, {validateBefore, total, heard: before, note, onText}: ReplayOptions,
): Promise<Replayed> => {
	const underWay: Array<Promise<CycleAnswer>> = [];
	let [done, heard] = [before, 0];
	let validation: ValidationView | null = null;
	const earlier = validateBefore === null ? null : await validatedAt(identity);
	let problem = earlier === null || earlier === validateBefore ? null : phrase`An earlier run validated it at state ${earlier}, and
		that validation stays. To choose another one, use a new folder (--data-dir).`;
	let validateAt = validateBefore === null || earlier !== null ? Infinity : Math.max(validateBefore, before);
	const settleOne = async (): Promise<void> => {
		const {isReplayed} = await underWay.shift()!;
		[done, heard] = [done + 1, heard + Number(!isReplayed)];
		onText(done);
	};

	const settleAll = async (): Promise<void> => {
		while (underWay.length > 0) {
			await settleOne();
		}
	};

	const tryToValidate = async (): Promise<void> => {
		await settleAll();
		const attempt = await validate(identity, note, total - done);
		({validation, problem} = attempt);
		validateAt = attempt.isShort ? done + tryEvery : Infinity;
	};

	try {
		for (const {id, content, source, conversation, saidAt} of texts) {
			if (done + underWay.length === validateAt) {
				await tryToValidate();
			}

			if (underWay.length === maxUnderWay) {
				await settleOne();
			}

			const answer = identity.importText({
				id, content, source, saidAt: new Date(saidAt).toISOString(), trigger: source === 'self' ? 'assistant' : 'user',
				...(conversation !== null && {conversation}),
			});
			// It may fail before earlier ones are done. Nothing waits for it until then, and an unhandled rejection would end the program.
			answer.catch(() => {});
			underWay.push(answer);
		}

		await settleAll();
		if (validateBefore === total && validateAt <= total) {
			// The whole history is the baseline.
			await tryToValidate();
		}
	} finally {
		await Promise.allSettled(underWay);
	}

	return {heard, validation, problem};
};

/** The state at which an earlier call validated the identity; null if none did. */
const validatedAt = async (identity: LocalIdentity): Promise<number | null> =>
	identity.state().stateId > 0 ? (await identity.drift()).validation?.stateId ?? null : null;

type Attempt = Pick<Replayed, 'validation' | 'problem'> & {isShort: boolean};

/** Validates with a horizon for the following texts. If the model cannot read the texts, validates anyway, and `problem` says so. */
const validate = async (identity: LocalIdentity, note: string, following: number, acceptUnread = false): Promise<Attempt> => {
	const horizon = Math.min(horizons.maximum, Math.max(horizons.minimum, 4000, following));
	try {
		return {validation: await identity.validate({note, horizon, acceptUnread}), problem: null, isShort: false};
	} catch (error) {
		if (error instanceof BaselineTooShortError) {
			return {validation: null, problem: error.message, isShort: true};
		}

		if (error instanceof UnreadTextsError && !acceptUnread) {
			const attempt = await validate(identity, note, following, true);
			return {...attempt, problem: attempt.problem ?? error.message.replace(/ To validate all the same.*$/, '')};
		}

		throw error;
	}
};
