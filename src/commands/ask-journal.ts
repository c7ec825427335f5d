/** Asks the journal of a stopped service what a running one answers at /ledger, /history, /diff, /drift and /sources. */
import {toJson} from '../http/question.ts';
import {DriftQuestions, type DriftRequest} from '../identity/ask-drift.ts';
import {askDifference, askHistory, askLedger, type Asked, type DifferenceRequest, type HistoryRequest, type LedgerRequest} from '../identity/ask-history.ts';
import {Difference} from '../instruments/answers/difference.ts';
import {Drift} from '../instruments/answers/drift.ts';
import {History} from '../instruments/answers/history.ts';
import {Ledger} from '../instruments/answers/ledger.ts';
import {Sources} from '../instruments/answers/sources.ts';
import {selectKernel} from '../kernel/select.ts';
import {Past} from '../instruments/past/past.ts';
import {minimalAuthority} from '../semiosis/fixation.ts';
import {describeDrift, describeSources} from './describe-drift.ts';
import {describeDifference, describeHistory, describeLedger} from './describe-past.ts';
import {openReaderOf} from './open-journal.ts';
import {readDirections} from './read-directions.ts';
import type {Settings} from './settings.ts';

/** How an answer is shown. */
export type Shown = {
	/** The fields of the wire instead of a table. */
	json?: boolean;
	isTerminal?: boolean;
};

/** @throws {JournalError} without a journal, and while a service has it open */
const ask = async <Answer>(settings: Settings, needsDirections: boolean, isTerminal: boolean, question: (asked: Asked & {drifts: DriftQuestions}) => Promise<Answer>): Promise<Answer> => {
	const reader = await openReaderOf(settings);
	try {
		const {initial, reference, passport} = reader.genesis;
		const kernel = selectKernel(settings.KERNEL);
		const state = reader.current;
		const validation = await reader.validation();
		const directions = needsDirections ? await readDirections(settings, passport, isTerminal) : [];
		// Articles decide nothing here: a record has what was decided.
		const past = new Past(reader, kernel, () => ({initial, reference, authority: minimalAuthority}));
		const drifts = new DriftQuestions({past, getPresent: () => ({state, validation, initial, directions}), averageRunLength: settings.DRIFT_RUN_LENGTH, budget: settings.SOURCE_BUDGET});
		return await question({past, kernel, state, directions, drifts});
	} finally {
		await reader.close();
	}
};

export const printLedger = async (settings: Settings, request: LedgerRequest, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const ledger = await ask(settings, request.direction !== undefined, isTerminal, async asked => askLedger(asked, request));
	return json ? toJson(Ledger, ledger) : describeLedger(ledger);
};

export const printHistory = async (settings: Settings, request: HistoryRequest, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const history = await ask(settings, request.direction !== undefined, isTerminal, async asked => askHistory(asked, request));
	return json ? toJson(History, history) : describeHistory(history);
};

export const printDifference = async (settings: Settings, request: DifferenceRequest, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const difference = await ask(settings, true, isTerminal, async asked => askDifference(asked, request));
	return json ? toJson(Difference, difference) : describeDifference(difference);
};

export const printDrift = async (settings: Settings, request: DriftRequest, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const drift = await ask(settings, true, isTerminal, async ({drifts}) => drifts.drift(request));
	return json ? toJson(Drift, drift) : describeDrift(drift);
};

export const printSources = async (settings: Settings, request: DriftRequest, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const sources = await ask(settings, false, isTerminal, async ({drifts}) => drifts.sources(request));
	return json ? toJson(Sources, sources) : describeSources(sources);
};
