/**
 * An identity that listens to a conversation, for the hosts of agents: it hears what is said, by whom and in which
 * conversation, and tells what stands out in it.
 *
 * The conversation comes first: an identity that fails or is slow is reported and left out.
 */
import {unrefTimers, type Timers} from '../platform/clock.ts';
import {UnavailableError, warnToConsole} from '../platform/errors.ts';
import type {Identity} from '../identity/identity.ts';
import type {CycleRequest} from '../identity/views.ts';
import {ownSource} from '../instruments/source-of.ts';
import {requireKnownNames, type Names} from '../platform/unknown-names.ts';
import {withSignal} from '../platform/waiting.ts';
import type {ScaledProfile} from '../generated/types.ts';
import {sortStandOut} from '../instruments/scaled-profile.ts';
import {scaledTraitsOf} from '../language/traits.ts';
import {quoteInEnglish} from '../platform/plain-line.ts';

/** Options of {@link listenWith}. None is required. */
export type ListenerOptions = {
	/** How many lines a prompt gets on what stands out; 0 for none. @default 3 */
	maxTraits?: number;
	/** How long a call waits for the identity before it continues without it, in milliseconds. @default 5000 */
	timeoutMs?: number;
	/** Hears why the identity was left out. @default console.warn */
	onError?: (error: unknown) => void;
	/** The timers of the bound. @default those of the system */
	timers?: Timers;
};

export const listenerOptionNames: Names<ListenerOptions> = {maxTraits: true, timeoutMs: true, onError: true, timers: true};

/** Where a text belongs: who said it, known as `user` without a name, and in which conversation. */
export type Speaker = Pick<CycleRequest, 'source' | 'conversation'>;

/** What a host calls around a model's answer. No call rejects. */
export type AgentListener = {
	/** Before the model is asked: lines for its instructions; null where nothing stands out. */
	describe(): Promise<string | null>;
	/** What somebody said to the agent. A blank text is not heard. */
	hear(text: string, said?: Speaker): Promise<void>;
	/** What the agent said itself, with the source `self`, by which the echo guard knows it. */
	speak(text: string, said?: Pick<Speaker, 'conversation'>): Promise<void>;
};

const warnOfSilence = warnToConsole.bind(null, 'The identity was left out of a conversation:');

/** A call of an identity that never fails: what it throws goes to the hook, and what takes too long is left. */
const createAttempt = (timeoutMs: number, timers: Timers, onError: (error: unknown) => void) => {
	const report = (error: unknown): void => {
		try {
			onError(error);
		} catch (thrown) {
			warnToConsole('The hook onError failed:', thrown);
		}
	};

	return async <Value>(ask: () => Promise<Value>): Promise<Value | null> => {
		const bound = new AbortController();
		const timer = timers.setTimeout(() => {
			bound.abort(new UnavailableError(`The identity did not answer within ${timeoutMs} ms.`));
		}, timeoutMs);
		try {
			return await withSignal(ask(), bound.signal);
		} catch (error) {
			report(error);
			return null;
		} finally {
			timers.clearTimeout(timer);
		}
	};
};

/**
 * Lets an identity, in this program or from afar, listen to the conversations of an agent.
 *
 * @throws {ConfigurationError} for an unknown option
 *
 * @example
 * ```ts
 * import {openIdentity} from 'processual-state';
 * import {listenWith} from 'processual-state/tools';
 *
 * const ada = await openIdentity();
 * const listener = listenWith(ada);
 * const instructions = await listener.describe();
 * await listener.hear('How was your morning?', {source: 'Ben', conversation: 'Monday'});
 * await listener.speak('Quiet, by the sea.', {conversation: 'Monday'});
 * await ada.dispose();
 * ```
 */
export const listenWith = (identity: Identity, given: ListenerOptions = {}): AgentListener => {
	requireKnownNames('The listener', given, listenerOptionNames);
	const {maxTraits = 3, timeoutMs = 5000, onError = warnOfSilence, timers = unrefTimers} = given;
	const attempt = createAttempt(timeoutMs, timers, onError);
	let isReady = false;
	const hear = async (request: CycleRequest): Promise<void> => {
		// What is no text is the identity's to refuse: a host in JavaScript learns of it, and its call does not reject.
		if (typeof request.content !== 'string' || request.content.trim() !== '') {
			await attempt(async () => identity.cycle(request));
		}
	};

	return {
		async describe() {
			const profile = maxTraits === 0 ? null : await attempt(async () => {
				if (!isReady) {
					await identity.ready();
					isReady = true;
				}

				return identity.scaledProfile();
			});
			return profile && describeSelf(profile, maxTraits);
		},
		hear: async (content, said) => hear({...said, content}),
		speak: async (content, said) => hear({...said, content, trigger: 'assistant', source: ownSource}),
	};
};

/** Null where nothing stands out, and where no direction has a unit: what is chance is left out. */
export const describeSelf = ({note, ...profile}: Pick<ScaledProfile, 'directions' | 'tone' | 'note'>, maxTraits: number): string | null => {
	const traits = scaledTraitsOf(sortStandOut(profile)).slice(0, maxTraits);
	return traits.length === 0 ? null : [
		'What you lean to by now, measured by what you have heard and said:',
		...traits.map(({strength, towards, awayFrom}) =>
			`- ${strength} towards ${quoteInEnglish(towards)} rather than ${quoteInEnglish(awayFrom)}`),
		...(note === null ? [] : [`Note: ${note}`]),
	].join('\n');
};
