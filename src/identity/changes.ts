/** What changes an identity, or acts on it: each sends the process an event, and waits for its answer. */
import type {MachineDeps} from '../actors/deps.ts';
import {haltedError} from '../actors/process-context.ts';
import {UnavailableError} from '../platform/errors.ts';
import type {Admission} from './admission.ts';
import {checkNote, type CheckedRequest} from './cycle-request.ts';
import type {LocalIdentity} from './identity.ts';
import {knowOutcome} from './known-outcome.ts';
import type {PendingRequests, ProcessActor} from './pending-requests.ts';
import {RepeatedCycles} from './repeated-cycles.ts';
import {ready, selectDaemon} from './selectors.ts';
import {requireRead, type UnreadTexts} from './unread-texts.ts';
import type {CycleAnswer, Translation, ValidationView} from './views.ts';

/** What changes work with. */
export type ChangeDeps = {
	actor: ProcessActor;
	parts: Pick<MachineDeps, 'journal' | 'newId' | 'loop' | 'time'>;
	admission: Admission;
	requests: PendingRequests;
	unread: UnreadTexts;
	isDaemonRunning: () => boolean;
};

type Changes = Pick<LocalIdentity, 'cycle' | 'reset' | 'validate' | 'translate' | 'daemon'>;

export const createChanges = (deps: ChangeDeps): Changes => {
	const {actor, parts: {journal, newId, loop, time}, admission, requests, unread, isDaemonRunning} = deps;
	const repeated = new RepeatedCycles(journal && (async id => journal.find(id)));

	/** @throws {UnavailableError} when nothing may change the state now. */
	const requireWritable = () => {
		const {journalError} = ready(actor.getSnapshot());
		if (journalError !== null) {
			throw haltedError(journalError);
		}
	};

	/** Runs a cycle under an id. */
	const run = async (id: string, order: Omit<CheckedRequest, 'id'>, signal: AbortSignal | undefined): Promise<CycleAnswer> => {
		signal?.throwIfAborted();
		requireWritable();
		const answer = requests.answerTo<CycleAnswer>(id, () => {
			actor.send({type: 'cycle', id, ...order});
		}, {
			isCycle: true,
			signal,
			cancel() {
				actor.send({type: 'cycle.cancel', id});
			},
		});
		return journal ? knowOutcome(answer, id, {actor, find: async sought => journal.find(sought)}) : answer;
	};

	return {
		cycle: async (request, {signal} = {}) => admission.admit(request, async ({id, ...order}) => {
			requireWritable();
			return id === null
				? repeated.inOrder(async () => run(newId(), order, signal))
				: repeated.answerTo({...order, id}, async () => run(id, order, signal), signal);
		}, signal),

		async reset() {
			admission.requireOpen();
			return admission.accept(async () => repeated.inOrder(async () => {
				requireWritable();
				const id = newId();
				return requests.answerTo<{stateId: number}>(id, () => {
					actor.send({type: 'reset', id});
				});
			}));
		},

		async validate({note, acceptUnread = false}, {signal} = {}) {
			admission.requireOpen();
			const checked = checkNote(note);
			return admission.accept(async () => {
				// Where nothing is to be read it goes on at once, so that it is accepted in its order.
				if (!acceptUnread && !unread.isRead) {
					await unread.refresh();
				}

				return repeated.inOrder(async () => {
					if (!acceptUnread) {
						requireRead(unread.note());
					}

					requireWritable();
					const id = newId();
					return requests.answerTo<ValidationView>(id, () => {
						actor.send({type: 'validate', id, note: checked});
					});
				});
			}, signal);
		},

		async translate({context = null} = {}, {signal} = {}) {
			admission.requireOpen();
			return admission.translations.take(async () => {
				const translation = await admission.accept(async () => {
					if (!ready(actor.getSnapshot()).boot.hasTranslator) {
						throw new UnavailableError('Translator is unavailable: no language model is configured.');
					}

					const id = newId();
					return requests.answerTo<Translation>(id, () => {
						actor.send({type: 'translate', id, context});
					}, {
						signal,
						cancel() {
							actor.send({type: 'translate.cancel', id});
							requests.fail(id, signal!.reason);
						},
					});
				}, signal);
				const note = await unread.read();
				return note === null ? translation : Object.freeze({...translation, note});
			});
		},

		daemon: {
			async start() {
				admission.requireOpen();
				return admission.accept(async () => {
					const started = !isDaemonRunning();
					actor.send({type: 'daemon.start'});
					return {started, ...(started && {config: loop})};
				});
			},

			stop: async () => admission.accept(async () => {
				const stopped = isDaemonRunning();
				actor.send({type: 'daemon.stop'});
				return {stopped};
			}),

			status: () => selectDaemon(actor.getSnapshot(), time),
		},
	};
};
