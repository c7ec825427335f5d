/**
 * Lets an identity listen to an agent's conversations, for the agent's host: it hears each text with its speaker and
 * its conversation, and describes what stands out in itself.
 *
 * The conversation has priority: an identity that fails or is slow is reported and skipped.
 */
import {unrefTimers, type Timers} from '../platform/clock.ts';
import {ProcessualError, UnavailableError, warnToConsole} from '../platform/errors.ts';
import type {Identity} from '../identity/identity.ts';
import type {CycleRequest} from '../identity/views.ts';
import {ownSource} from '../instruments/source-of.ts';
import {ranges, requireOptions, whole, within, type Checks} from '../platform/ranges.ts';
import {withSignal} from '../platform/waiting.ts';
import type {ScaledProfile} from '../generated/types.ts';
import {sortStandOut} from '../instruments/scaled-profile.ts';
import {scaledTraitsOf} from '../language/traits.ts';
import {quoteInEnglish} from '../platform/plain-line.ts';

/** Options of {@link listenWith}. None is required. */
export type ListenerOptions = {
	/** Maximum lines in a prompt on what stands out; 0 for none. @default 3 */
	maxTraits?: number;
	/** How long a call waits for the identity before it continues without it, in milliseconds, at most 2 × 10⁹. @default 5000 */
	timeoutMs?: number;
	/** Called with the reason when the identity is skipped. @default console.warn */
	onError?: (error: unknown) => void;
	/** Timers for `timeoutMs`. @default the system's */
	timers?: Timers;
};

export const listenerChecks: Checks<ListenerOptions> = {
	maxTraits: whole(ranges.number), timeoutMs: within(ranges.waitMilliseconds), onError: true, timers: true,
};

/** Who said a text, `user` by default, and in which conversation. */
export type Speaker = Pick<CycleRequest, 'source' | 'conversation'>;

/** The calls that a host makes around a model's answer. None rejects. */
export type AgentListener = {
	/** Before the model is asked: lines for its instructions, or null if nothing stands out. */
	describe(): Promise<string | null>;
	/** Hears what somebody said to the agent. A blank text is ignored. */
	hear(text: string, said?: Speaker): Promise<void>;
	/** Hears what the agent said, with the source `self`, by which the echo guard knows it. */
	speak(text: string, said?: Pick<Speaker, 'conversation'>): Promise<void>;
};

/** One line for what happens on purpose: a service that is down is reported with each text. */
const warnOfSilence = (error: unknown): void =>
	warnToConsole('The identity was left out of a conversation:', error instanceof ProcessualError ? error.message : error);

/** Calls the identity without ever failing: an error or a timeout goes to the hook, and the result is null. */
const createAttempt = (timeoutMs: number, timers: Timers, onError: (error: unknown) => void) =>
	async <Value>(ask: () => Promise<Value>): Promise<Value | null> => {
		const bound = new AbortController();
		const timer = timers.setTimeout(() => {
			bound.abort(new UnavailableError(`The identity did not answer within ${timeoutMs} ms.`));
		}, timeoutMs);
		try {
			return await withSignal(ask(), bound.signal);
		} catch (error) {
			try {
				onError(error);
			} catch (thrown) {
				warnToConsole('The hook onError failed:', thrown);
			}

			return null;
		} finally {
			timers.clearTimeout(timer);
		}
	};

/**
 * Lets a local or remote identity listen to the conversations of an agent.
 *
 * @throws {ConfigurationError} for an unknown option or a wrong value
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
	requireOptions('The listener', given, listenerChecks);
	const {maxTraits = 3, timeoutMs = 5000, onError = warnOfSilence, timers = unrefTimers} = given;
	const attempt = createAttempt(timeoutMs, timers, onError);
	let isReady = false;
	const hear = async (request: CycleRequest): Promise<void> => {
		// The identity refuses a value that is not a string, so that the hook reports it to a host in JavaScript.
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

/** Null if nothing stands out, or if no direction has a unit, because what is chance is left out. */
export const describeSelf = ({note, ...profile}: Pick<ScaledProfile, 'directions' | 'tone' | 'note'>, maxTraits: number): string | null => {
	const traits = scaledTraitsOf(sortStandOut(profile)).slice(0, maxTraits);
	return traits.length === 0 ? null : [
		'Your present leanings, measured from the texts that you have heard and said:',
		...traits.map(({strength, towards, awayFrom}) =>
			`- ${strength} towards ${quoteInEnglish(towards)} rather than ${quoteInEnglish(awayFrom)}`),
		...(note === null ? [] : [`Note: ${note}`]),
	].join('\n');
};
