/** Rows of the table of questions: what an identity's journal answers. */
import {Difference, DifferenceRequest} from '../instruments/answers/difference.ts';
import {Drift, DriftRequest} from '../instruments/answers/drift.ts';
import {History, HistoryRequest} from '../instruments/answers/history.ts';
import {Ledger, LedgerRequest} from '../instruments/answers/ledger.ts';
import {Sources} from '../instruments/answers/sources.ts';
import {question} from './question.ts';

/** An answer of more states would be larger than 1 MiB. */
const maxPoints = 800;

export const pastQuestions = [
	question({
		name: 'ledger',
		method: 'GET',
		path: '/ledger',
		group: 'Past',
		summary: 'What the present is made of',
		description: 'Thirdness is an exact sum: what is left of the beginning, each text, and what the rule itself pushes in at every '
			+ 'text. Asked with a direction, each entry has its part of the value there. Read from the journal.',
		ask: LedgerRequest,
		answer: Ledger,
		failures: [409, 422, 429, 500, 503],
		isCancellable: true,
	}),
	question({
		name: 'history',
		method: 'GET',
		path: '/history',
		group: 'Past',
		summary: 'How the present came about',
		description: 'How far thirdness went since the beginning, or since the last reset; what was left of the beginning, and how '
			+ 'unusual each text was. Read from the journal.',
		ask: HistoryRequest,
		answer: History,
		failures: [409, 422, 429, 500, 503],
		isCancellable: true,
		run: async (identity, {points, ...ask}, options) => identity.history({...ask, points: Math.min(points, maxPoints)}, options),
	}),
	question({
		name: 'diff',
		method: 'GET',
		path: '/diff',
		group: 'Past',
		summary: 'What differs between two moments',
		description: 'How far thirdness turned, the directions that changed most, in units and in words, and the texts and sources behind '
			+ 'it. Read from the journal.',
		ask: DifferenceRequest,
		answer: Difference,
		failures: [409, 422, 429, 500, 503],
		isCancellable: true,
	}),
	question({
		name: 'drift',
		method: 'GET',
		path: '/drift',
		group: 'Drift',
		summary: 'How far it moved, and whether chance explains it',
		description: 'Compares the present with twins: copies of the validated state that hear ordinary talk. Says how far it moved, how '
			+ 'likely chance leads as far, in which directions it differs, and by whose texts. Influence is named, never intent. Computed '
			+ 'in a thread from the journal.',
		ask: DriftRequest,
		answer: Drift,
		failures: [409, 422, 429, 500, 503],
		isCancellable: true,
	}),
	question({
		name: 'sources',
		method: 'GET',
		path: '/sources',
		group: 'Drift',
		summary: 'Whose texts it is made of, and who is not as before',
		description: 'The texts of each source, their weight in the present, their part of its difference from ordinary talk, and whether '
			+ 'the source talks as it did in the baseline. Influence is named, never intent. Computed in a thread from the journal.',
		ask: DriftRequest,
		answer: Sources,
		failures: [409, 422, 429, 500, 503],
		isCancellable: true,
	}),
] as const;
