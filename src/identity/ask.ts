/** Questions to an identity's past and future: an instrument answers each. Nothing of the identity changes. */
import type {MachineDeps} from '../actors/deps.ts';
import type {Questions} from '../instruments/past/questions.ts';
import {RecentTexts} from '../instruments/past/recent-texts.ts';
import type {Past} from '../instruments/past/past.ts';
import type {Admission} from './admission.ts';
import type {DriftQuestions} from './ask-drift.ts';
import {askWhatIf, dryRun, type PastDeps} from './ask-past.ts';
import {answering, type Answering, type Computations} from './computations.ts';
import {forkOptions} from './fork.ts';
import type {LocalIdentity} from './identity.ts';
import type {IdentityOptions} from './options.ts';
import type {ProcessActor} from './pending-requests.ts';
import {ready, toTensorView} from './selectors.ts';
import type {UnreadTexts} from './unread-texts.ts';

/** What questions are asked with. */
export type AskDeps = {
	actor: ProcessActor;
	parts: MachineDeps;
	admission: Admission;
	past: Past;
	drifts: DriftQuestions;
	unread: UnreadTexts;
	/** Where the questions of a fork run, too. */
	questions: Questions;
	computations: Computations;
	/** Opens a fork. */
	open: (options: IdentityOptions) => Promise<LocalIdentity>;
};

type Answers = Pick<
	LocalIdentity,
	'dryRun' | 'whatIf' | 'stateAt' | 'fork' | 'records' | 'ledger' | 'history' | 'diff' | 'drift' | 'sources'
>;

export const createAnswers = ({actor, parts, admission, past, drifts, unread, questions, computations, open}: AskDeps): Answers => {
	const getContext = () => ready(actor.getSnapshot());
	const deps: PastDeps = {
		...parts,
		past,
		recentTexts: parts.journal && new RecentTexts(parts.journal, parts.kernel),
		getPresent() {
			const {state, vigilance, boot: made} = getContext();
			return {...made, state, vigilance};
		},
	};
	const asked = (): Answering => {
		const {state, boot: {directions}} = getContext();
		return {past, kernel: parts.kernel, state, directions, drifts, unread};
	};

	return {
		dryRun: async (request, {signal} = {}) => admission.dryRuns.take(async () =>
			admission.admit(request, async order => dryRun(order, deps, signal), signal)),

		async whatIf(request = {}, {signal} = {}) {
			admission.requireOpen();
			return admission.accept(async () => askWhatIf(request, deps, signal), signal);
		},

		async stateAt(moment, {signal} = {}) {
			admission.requireOpen();
			return admission.accept(async () => toTensorView((await past.find(moment, signal)).state), signal);
		},

		async fork({at} = {}) {
			admission.requireOpen();
			return admission.accept(async () => {
				const {state, vigilance, boot: made} = getContext();
				const place = at === undefined ? {state, cumulativeDrift: vigilance.report.cumulativeDrift} : await past.find(at);
				return open({...forkOptions(parts, made, place), questions});
			});
		},

		records: async (from, count) => past.read(from, count),

		...answering(computations, async (compute, request, signal) => admission.accept(async () => compute(asked(), request, signal), signal)),
	};
};
