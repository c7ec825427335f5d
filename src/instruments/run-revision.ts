/** Computes the effect of a revision: the state without the texts that it excludes. */
import type {PastState} from '../generated/types.ts';
import type {Exclusion, Revision, TextChoice} from '../journal/revision.ts';
import {followHeard} from './drift/heard-path.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import type {Instrument} from './instrument.ts';
import {RevisedRecords} from './revised-records.ts';
import {toPastState} from './stretch.ts';
import {stateAfter} from './replay.ts';
import {followUnsaid, type Unsaid} from './text-choice.ts';

export type RevisionQuestion = {
	exclusions: readonly Exclusion[];
	/** The earlier revisions. */
	revisions: readonly Revision[];
	/** The requested names; `unsaid` reports one that no text has. */
	without: TextChoice;
	/** Null without a validation. */
	ordinary: OrdinaryTalk | null;
};

export type RevisionResult = {
	thirdness: Float32Array;
	cumulativeDrift: number;
	/** The number of texts that still count since the beginning or the last reset; `excluded` is the number of the others. */
	texts: number;
	excluded: number;
	/** The first record that differs from the journal's; null if nothing would change. */
	differsFrom: number | null;
	/** The probability that ordinary talk ever leads as far since the validation. Null if unknown, and for fewer than 100 texts. */
	p: number | null;
	/** The state of a compacted block, whose texts can be neither left out nor taken back; null without one. */
	compacted: PastState | null;
	unsaid: Unsaid | null;
};

/** Run it over all records as recorded. */
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
