/**
 * What if: the other self, without some texts and with others, beside the present one
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 */
import type {PastState} from '../generated/types.ts';
import type {StoredRecord} from '../journal/journal.ts';
import type {TextChoice} from '../journal/revision.ts';
import type {EmbeddedText, WorkingState} from '../semiosis/run-cycle.ts';
import {decodeDigest, type Digest} from './digest.ts';
import {textsOf} from './digested-texts.ts';
import {HeardPath} from './drift/heard-path.ts';
import {chanceOf, type OrdinaryTalk} from './drift/ordinary.ts';
import type {Instrument} from './instrument.ts';
import {replay, startReplay, stateAfter} from './replay.ts';
import {toPastState} from './stretch.ts';
import {chosenBy, followUnsaid, isNamedBy, type Unsaid} from './text-choice.ts';

/** What is to be otherwise. */
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
	/** What was to be left out and is in no text; null where all of it was. */
	unsaid: Unsaid | null;
};

/** Whether both selves begin again with the same state. */
const isBeginning = ({kind}: StoredRecord): boolean => kind === 'reset' || kind === 'snapshot';

export const runWhatIf: Instrument<WhatIfQuestion, WhatIfResult> = ({rules, start}, {without, add, timestamp, ordinary}) => {
	const isLeftOut = chosenBy(without);
	const isNamed = isNamedBy(without);
	const unsaidNames = followUnsaid(without);
	let present = start.state;
	/** Null while it is the present one: up to the first text that is left out, and from a reset up to the next. */
	let other: WorkingState | null = null;
	let cycles = 0;
	let leftOut = 0;
	let compacted: PastState | null = null;
	const chance = ordinary && chanceOf(ordinary);
	/** What the other self heard since what is ordinary was validated. */
	const path = chance && new HeardPath(ordinary!.texts, chance);
	const hearDigest = ({cycles: texts, to: {stateId, timestamp: time, thirdness}, ...names}: Digest): void => {
		cycles += texts;
		present = rules.initial.withThirdness(stateId, time, thirdness);
		unsaidNames.hearMany(names);
	};

	return {
		take(entries) {
			for (const {seq, record} of entries) {
				const isOut = record.kind === 'cycle' && isLeftOut(record);
				if (record.kind === 'cycle') {
					unsaidNames.hear(record);
				}

				cycles += Number(record.kind === 'cycle');
				leftOut += Number(isOut);
				if (isOut) {
					other ??= startReplay(rules, present);
				} else {
					other &&= isBeginning(record) ? null : replay(rules, other, [record]);
				}

				present = stateAfter(rules.initial, present, record);
				if (record.kind === 'snapshot') {
					compacted = toPastState(present);
				}

				if (seq === ordinary?.seq || isBeginning(record)) {
					path?.reset();
				} else if (record.kind === 'cycle' && !isOut) {
					path?.hear(record);
				}
			}
		},
		takeDigest(stored) {
			hearDigest(decodeDigest(stored));
		},
		replayDigest(stored, vectors) {
			const digest = decodeDigest(stored);
			const texts = textsOf(digest, vectors);
			for (const text of texts ?? []) {
				// The records of what else is left out are read.
				if (isNamed({sources: text.source, conversations: null, triggers: null, ids: null})) {
					leftOut++;
				} else {
					other &&= replay(rules, other, [text]);
					path?.take(text);
				}
			}

			if (texts) {
				hearDigest(digest);
			}

			return texts !== null;
		},
		answer() {
			const unsaid = unsaidNames.find();
			if (unsaid) {
				return {present: present.row('thirdness'), other: present.row('thirdness'), cycles, leftOut, p: null, compacted, unsaid};
			}

			const texts = add.map(text => ({kind: 'cycle' as const, timestamp, ...text}));
			const {state} = replay(rules, other ?? startReplay(rules, present), texts);
			for (const {vector} of add) {
				path?.take({source: '', time: Date.parse(timestamp), isOwn: false, vector});
			}

			return {
				present: present.row('thirdness'), other: state.row('thirdness'), cycles, leftOut, p: path?.p ?? null, compacted, unsaid,
			};
		},
	};
};
