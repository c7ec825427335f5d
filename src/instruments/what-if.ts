/**
 * What if: computes another self, without some texts and with others, for comparison with the present one
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 */
import type {PastState} from '../generated/types.ts';
import type {StoredCycle, StoredRecord} from '../journal/journal.ts';
import type {TextChoice} from '../journal/revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {moveState, type EmbeddedText} from '../semiosis/run-cycle.ts';
import {decodeDigest, textsOf, type Digest} from './digest.ts';
import {followHeard} from './drift/heard-path.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import type {Instrument} from './instrument.ts';
import {stateAfter} from './replay.ts';
import {toPastState} from './stretch.ts';
import {chosenBy, followUnsaid, isNamedBy, type Unsaid} from './text-choice.ts';

export type WhatIfQuestion = {
	without: TextChoice;
	/** Texts that are said at the end, in order. */
	add: readonly EmbeddedText[];
	/** The time of the added texts; ISO 8601, UTC. */
	timestamp: string;
	/** Null without a validation. */
	ordinary: OrdinaryTalk | null;
};

/** Thirdness of both selves, and what made them differ. */
export type WhatIfResult = {
	present: Float32Array;
	other: Float32Array;
	/** The number of texts in the stretch. */
	cycles: number;
	leftOut: number;
	/**
	 * The probability that ordinary talk ever leads as far as what the other self heard, since the validation, the beginning of the
	 * stretch or the last reset, whichever is latest. Null without a baseline, and for fewer than 100 texts.
	 */
	p: number | null;
	/** The state after compacted records, from which both selves start; null without one. */
	compacted: PastState | null;
	/** The last reset in the stretch, from which both selves start again; ISO 8601, UTC. Null without one. */
	resetAt: string | null;
	/** A name to leave out that no text has; null for none. */
	unsaid: Unsaid | null;
};

/** Whether both selves start again from the same state. */
const isBeginning = ({kind}: StoredRecord): boolean => kind === 'reset' || kind === 'snapshot';

export const runWhatIf: Instrument<WhatIfQuestion, WhatIfResult> = ({rules, start}, {without, add, timestamp, ordinary}) => {
	const [isLeftOut, isNamed] = [chosenBy(without), isNamedBy(without)];
	const unsaidNames = followUnsaid(without);
	let present = start.state;
	/** Null while both are the same: up to the first text that is left out, and again after a reset or a compaction. */
	let other = null as StateTensor | null;
	let [cycles, leftOut] = [0, 0];
	let [compacted, resetAt]: [PastState | null, string | null] = [null, null];
	/** The path of what the other self heard since the validation. */
	const path = followHeard(ordinary);
	const takeCycle = (seq: number, cycle: StoredCycle): void => {
		cycles++;
		unsaidNames.hear(cycle);
		if (isLeftOut(cycle)) {
			leftOut++;
			other ??= present;
		} else {
			other &&= moveState(rules, other, cycle, cycle.timestamp);
			path?.hear(seq, cycle);
		}
	};

	const takeDigest = ({cycles: texts, to: {stateId, timestamp: time, thirdness}, ...names}: Digest): void => {
		cycles += texts;
		present = rules.initial.withThirdness(stateId, time, thirdness);
		unsaidNames.hearMany(names);
	};

	return {
		take(entries) {
			for (const {seq, record} of entries) {
				if (record.kind === 'cycle') {
					takeCycle(seq, record);
				}

				present = stateAfter(rules.initial, present, record);
				other = isBeginning(record) ? null : other;
				resetAt = record.kind === 'reset' ? record.timestamp : resetAt;
				compacted = record.kind === 'snapshot' ? toPastState(present) : compacted;
				if (seq === ordinary?.seq || isBeginning(record)) {
					path?.reset();
				}
			}
		},
		takeDigest: stored => takeDigest(decodeDigest(stored)),
		replayDigest(stored, vectors) {
			const digest = decodeDigest(stored);
			const texts = textsOf(digest, vectors);
			for (const text of texts ?? []) {
				// A choice by more than sources needs the records, so here the source alone decides.
				if (isNamed({sources: text.source, conversations: null, triggers: null, ids: null})) {
					leftOut++;
				} else {
					other &&= moveState(rules, other, text, text.timestamp);
					path?.take(text);
				}
			}

			if (texts) {
				takeDigest(digest);
			}

			return texts !== null;
		},
		answer() {
			let added = other ?? present;
			for (const text of add) {
				added = moveState(rules, added, text, timestamp);
				path?.take({source: '', time: Date.parse(timestamp), isOwn: false, vector: text.vector});
			}

			return {
				present: present.row('thirdness'), other: added.row('thirdness'), cycles, leftOut, p: path?.p ?? null, compacted, resetAt,
				unsaid: unsaidNames.find(),
			};
		},
	};
};
