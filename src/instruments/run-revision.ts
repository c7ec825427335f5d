/** What a revision makes of a history: the state of the texts that it does not exclude, beside the present one. */
import type {PastState} from '../generated/types.ts';
import type {Exclusion, Revision, TextChoice} from '../journal/revision.ts';
import {followHeard} from './drift/heard-path.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import type {Instrument} from './instrument.ts';
import {RevisedRecords} from './revised-records.ts';
import {toPastState} from './stretch.ts';
import {stateAfter} from './replay.ts';
import {followUnsaid, type Unsaid} from './text-choice.ts';

/** What is to weigh nothing. */
export type RevisionQuestion = {
	exclusions: readonly Exclusion[];
	/** Those before it. */
	revisions: readonly Revision[];
	/** The names that are asked for: each must be that of a text. */
	without: TextChoice;
	/** Null where no validation says what is ordinary. */
	ordinary: OrdinaryTalk | null;
};

export type RevisionResult = {
	thirdness: Float32Array;
	cumulativeDrift: number;
	/** How many texts are heard by it, since the beginning or the last reset; and how many are not. */
	texts: number;
	excluded: number;
	/** The first record from which it differs from what the records say; null where nothing would change. */
	differsFrom: number | null;
	/** How likely ordinary talk ever leads as far since the validation; null where that is not known, and for fewer than 100 texts. */
	p: number | null;
	/** The state of a block of texts that are not known any more, so that none of them can be left out or taken back; null without one. */
	compacted: PastState | null;
	unsaid: Unsaid | null;
};

/** Asked about all records, as they are. */
export const runRevision: Instrument<RevisionQuestion, RevisionResult> = ({rules, start}, {exclusions, revisions, without, ordinary}) => {
	const asked = {seq: Infinity, exclusions, differsFrom: Infinity};
	const records = new RevisedRecords(rules, start, {revisions: [...revisions, asked], block: 0}, false);
	let unsaidNames = followUnsaid(without);
	const path = followHeard(ordinary);
	let texts = 0;
	let compacted: PastState | null = null;
	return {
		take(entries) {
			for (const {record} of entries) {
				if (record.kind === 'cycle' || record.kind === 'held') {
					unsaidNames.hear(record);
				} else if (record.kind === 'reset') {
					unsaidNames = followUnsaid(without);
				}
			}

			for (const {seq, record} of records.read(entries)) {
				if (record.kind === 'cycle') {
					texts++;
					path?.hear(seq, record);
				} else if (record.kind === 'reset' || record.kind === 'snapshot') {
					path?.reset();
					texts = 0;
					compacted = record.kind === 'snapshot' ? toPastState(stateAfter(rules.initial, rules.initial, record)) : null;
				}
			}
		},
		answer() {
			const {working: {state, vigilance}, excluded, differsFrom} = records;
			return {
				thirdness: state.row('thirdness'), cumulativeDrift: vigilance.report.cumulativeDrift, texts, excluded, differsFrom,
				p: path?.p ?? null, compacted, unsaid: unsaidNames.find(),
			};
		},
	};
};
