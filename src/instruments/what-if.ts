/**
 * What if: the other self, without some texts and with others, beside the present one
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 */
import type {PastState} from '../generated/types.ts';
import type {StoredCycle, StoredRecord} from '../journal/journal.ts';
import type {TextChoice} from '../journal/revision.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {moveState, type EmbeddedText} from '../semiosis/run-cycle.ts';
import {decodeDigest, type Digest} from './digest.ts';
import {textsOf} from './digested-texts.ts';
import {followHeard} from './drift/heard-path.ts';
import type {OrdinaryTalk} from './drift/ordinary.ts';
import type {Instrument} from './instrument.ts';
import {stateAfter} from './replay.ts';
import {toPastState} from './stretch.ts';
import {chosenBy, followUnsaid, isNamedBy, type Unsaid} from './text-choice.ts';

export type WhatIfQuestion = {
	without: TextChoice;
	/** Texts that are said at the end, in their order. */
	add: readonly EmbeddedText[];
	/** The time of the added texts; ISO 8601, UTC. */
	timestamp: string;
	/** Null where no validation says what is ordinary. */
	ordinary: OrdinaryTalk | null;
};

/** The rows of thirdness of both selves, and what made them differ. */
export type WhatIfResult = {
	present: Float32Array;
	other: Float32Array;
	/** How many texts the stretch has. */
	cycles: number;
	leftOut: number;
	/**
	 * How likely ordinary talk ever leads as far as what the other self heard: since the validation, or since the stretch or a
	 * reset, whichever is last. Null where what is ordinary is not known, and for fewer than 100 texts.
	 */
	p: number | null;
	/** The state that compacted records left, where both selves begin; null without one. */
	compacted: PastState | null;
	/** When the identity was reset last, so that both selves begin again; ISO 8601, UTC. Null where it was not, in the stretch. */
	resetAt: string | null;
	/** What was to be left out and is in no text; null where all of it was. */
	unsaid: Unsaid | null;
};

/** Whether both selves begin again with the same state. */
const isBeginning = ({kind}: StoredRecord): boolean => kind === 'reset' || kind === 'snapshot';

export const runWhatIf: Instrument<WhatIfQuestion, WhatIfResult> = ({rules, start}, {without, add, timestamp, ordinary}) => {
	const [isLeftOut, isNamed] = [chosenBy(without), isNamedBy(without)];
	const unsaidNames = followUnsaid(without);
	let present = start.state;
	/** Null while it is the present one: up to the first text that is left out, and from a reset up to the next. */
	let other = null as StateTensor | null;
	let [cycles, leftOut] = [0, 0];
	let [compacted, resetAt]: [PastState | null, string | null] = [null, null];
	/** What the other self heard since what is ordinary was validated. */
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
				// The records of what is left out by more than its source are read.
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
