/** The calls that change an identity or act on it. Each sends the process an event and waits for the answer. */
import {haltedError} from '../actors/process-context.ts';
import type {SettlementRequest} from '../actors/settlement.ts';
import type {Settled, SettleRequest} from '../generated/types.ts';
import type {Decision} from '../instruments/describe-revision.ts';
import {defaultHorizon, horizons} from '../instruments/drift/paths.ts';
import {UnavailableError} from '../platform/errors.ts';
import type {CallOptions} from '../platform/waiting.ts';
import {createForget} from './ask-forget.ts';
import {drySettlement, toSettlement} from './ask-held.ts';
import {decide, dryRevision, toHold} from './ask-revision.ts';
import {requireInteger} from './computations.ts';
import {checkImport, checkNote, checkRequest, type CheckedRequest} from './cycle-request.ts';
import type {LocalIdentity} from './identity.ts';
import type {IdentityParts} from './local-identity.ts';
import {RepeatedCycles} from './repeated-cycles.ts';
import {selectors} from './selectors.ts';
import {requireRead} from './unread-texts.ts';
import type {CycleAnswer, RevisionView, Translation, ValidationView} from './views.ts';

type Changes = Pick<
	LocalIdentity,
	'cycle' | 'importText' | 'reset' | 'validate' | 'revise' | 'hold' | 'forget' | 'releaseHeld' | 'dropHeld' | 'translate' | 'daemon'
>;

export const createChanges = (parts: IdentityParts): Changes => {
	const {machine: {journal, newId}, admission, requests, unread, getContext} = parts;
	const repeated = new RepeatedCycles(journal && (async id => journal.find(id)));

	/** @throws {UnavailableError} while the journal cannot be written */
	const requireWritable = () => {
		const {journalError} = getContext();
		if (journalError !== null) {
			throw haltedError(journalError);
		}
	};

	const run = async (id: string, order: Omit<CheckedRequest, 'id'>, signal: AbortSignal | undefined): Promise<CycleAnswer> => {
		signal?.throwIfAborted();
		requireWritable();
		return requests.ask<CycleAnswer>({type: 'cycle', id, ...order}, signal);
	};

	const inOrder = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => repeated.inOrder(async () => {
		requireWritable();
		return work();
	});

	const take = async (check: () => CheckedRequest, {signal}: CallOptions): Promise<CycleAnswer> =>
		admission.admit(check, async ({id, ...order}) => {
			requireWritable();
			return id === null
				? repeated.inOrder(async () => run(newId(), order, signal))
				: repeated.answerTo({...order, id}, async () => run(id, order, signal), signal);
		}, signal);

	const settle = async (kind: SettlementRequest['kind'], request: SettleRequest = {}, {signal}: CallOptions): Promise<Settled> =>
		admission.enter(async () => {
			const settlement = toSettlement(kind, request);
			return request.dryRun
				? drySettlement(settlement, parts, signal)
				: inOrder(async () => requests.ask<Settled>({type: 'settle', id: newId(), request: settlement}));
		}, signal);

	return {
		cycle: async (request, options = {}) => take(() => checkRequest(request), options),

		importText: async (request, options = {}) => take(() => checkImport(request), options),

		reset: async () => admission.enter(async () =>
			inOrder(async () => requests.ask<{stateId: number}>({type: 'reset', id: newId()}))),

		async validate({note, horizon = defaultHorizon, acceptUnread = false}, {signal} = {}) {
			admission.requireOpen();
			const checked = checkNote(note, 'a validation');
			requireInteger('horizon', horizon, horizons);
			return admission.accept(async () => {
				// If there is nothing to read, do not wait: the request must keep its place in the order.
				if (!acceptUnread && !unread.isRead) {
					await unread.refresh();
				}

				return repeated.inOrder(async () => {
					if (!acceptUnread) {
						requireRead(unread.note());
					}

					requireWritable();
					return requests.ask<ValidationView>({type: 'validate', id: newId(), note: checked, horizon});
				});
			}, signal);
		},

		...createRevise(parts, inOrder),
		forget: createForget(parts, inOrder),

		releaseHeld: async (request, options = {}) => settle('release', request, options),

		dropHeld: async (request, options = {}) => settle('drop', request, options),

		translate: createTranslate(parts),

		daemon: createDaemon(parts),
	};
};

/** @param inOrder Runs a change of the state after all earlier requests. */
const createRevise = (
	parts: IdentityParts, inOrder: (work: () => Promise<RevisionView>) => Promise<RevisionView>,
): Pick<Changes, 'revise' | 'hold'> => {
	const {machine: {newId}, admission, past, requests} = parts;
	const revise = async (decision: Decision, signal?: AbortSignal) => {
		signal?.throwIfAborted();
		return inOrder(async () => requests.ask<RevisionView>({type: 'revise', id: newId(), decision}));
	};

	return {
		revise: async ({dryRun = false, ...request}, {signal} = {}) => admission.enter(async () => {
			const decision = await decide(request, past, signal);
			return dryRun ? dryRevision(decision, parts, signal) : revise(decision, signal);
		}, signal),

		hold: async (request, {signal} = {}) => admission.enter(async () => revise(toHold(request), signal), signal),
	};
};

const createTranslate = (
	{machine: {newId}, admission, requests, unread, getContext}: IdentityParts,
): Changes['translate'] => async ({context = null} = {}, {signal} = {}) => {
	admission.requireOpen();
	return admission.takeTranslation(async () => {
		const translation = await admission.accept(async () => {
			if (!getContext().boot.hasTranslator) {
				throw new UnavailableError('Translator is unavailable: no language model is configured.');
			}

			return requests.ask<Translation>({type: 'translate', id: newId(), context}, signal);
		}, signal);
		const note = await unread.read();
		return note === null ? translation : Object.freeze({...translation, note});
	});
};

const createDaemon = ({actor, machine: {loop}, admission}: IdentityParts): Changes['daemon'] => ({
	start: async () => admission.enter(async () => {
		const started = !selectors.daemon(actor.getSnapshot()).daemonRunning;
		actor.send({type: 'daemon.start'});
		return {started, ...(started && {config: loop})};
	}),

	stop: async () => admission.accept(async () => {
		const stopped = selectors.daemon(actor.getSnapshot()).daemonRunning;
		actor.send({type: 'daemon.stop'});
		return {stopped};
	}),

	status: () => selectors.daemon(actor.getSnapshot()),
});
