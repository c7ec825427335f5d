/**
 * What if: the other self, without some texts and with others, beside the present one
 * (`docs/spec/instruments.md#1-replay-core-dry-run-what-if-fork`).
 */
import type {PastState, WhatIfRequest} from '../generated/types.ts';
import type {StoredCycle} from '../journal/journal.ts';
import {nearestName} from '../platform/unknown-names.ts';
import type {EmbeddedText, WorkingState} from '../semiosis/run-cycle.ts';
import {toBaselineText} from './drift/baseline.ts';
import {Life} from './drift/life.ts';
import {chanceOf, prepareOrdinary, type OrdinaryTalk} from './drift/ordinary.ts';
import type {Instrument} from './instrument.ts';
import {replay, startReplay, stateAfter} from './replay.ts';
import {readName, sourceOf} from './source-of.ts';
import {toPastState} from './stretch.ts';

/** Texts to leave out: those of a source, of a trigger, or with an id. */
export type LeftOut = NonNullable<WhatIfRequest['without']>;

/** What is to be otherwise. */
export type WhatIfQuestion = {
	without: LeftOut;
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
	/** How likely ordinary talk ever leads as far as what the other self heard: since the validation, or since the stretch or a reset, whichever is last. Null where what is ordinary is not known, and for fewer than 100 texts. */
	p: number | null;
	/** The state that compacted records left, where both selves begin; null without one. */
	compacted: PastState | null;
	/** What was to be left out and is in no text; null where all of it was. */
	unsaid: Unsaid | null;
};

/** A name or an id that no text has. */
export type Unsaid = {readonly by: keyof LeftOut; readonly name: string; /** Which one was perhaps meant. */ readonly nearest: string | null};

export const runWhatIf: Instrument<WhatIfQuestion, WhatIfResult> = ({rules, start}, {without, add, timestamp, ordinary}) => {
	const {isLeftOut, findUnsaid} = followLeftOut(without);
	let present = start.state;
	/** Null while it is the present one: up to the first text that is left out. */
	let other: WorkingState | null = null;
	let cycles = 0;
	let leftOut = 0;
	let compacted: PastState | null = null;
	const chance = ordinary && chanceOf(ordinary);
	const known = chance && prepareOrdinary(ordinary!.texts, chance);
	/** What the other self heard since what is ordinary was validated. */
	let life = known && new Life(known);
	return {
		take(entries) {
			for (const {seq, record} of entries) {
				const isOut = record.kind === 'cycle' && isLeftOut(record);
				cycles += Number(record.kind === 'cycle');
				leftOut += Number(isOut);
				if (isOut) {
					other ??= startReplay(rules, present);
				} else {
					other &&= replay(rules, other, [record]);
				}

				present = stateAfter(rules.initial, present, record);
				if (record.kind === 'snapshot') {
					compacted = toPastState(present);
				}

				if (seq === ordinary?.seq || record.kind === 'reset' || record.kind === 'snapshot') {
					life = known && new Life(known);
				} else if (record.kind === 'cycle' && !isOut) {
					life?.take(toBaselineText(record));
				}
			}
		},
		answer() {
			const unsaid = findUnsaid();
			if (unsaid) {
				return {present: present.row('thirdness'), other: present.row('thirdness'), cycles, leftOut, p: null, compacted, unsaid};
			}

			const texts = add.map(text => ({kind: 'cycle' as const, timestamp, ...text}));
			const {state} = replay(rules, other ?? startReplay(rules, present), texts);
			for (const [i, {vector}] of add.entries()) {
				life?.take({id: `added ${i + 1}`, source: '', time: Date.parse(timestamp), conversation: null, isOwn: false, isUnread: false, vector});
			}

			const p = life?.voice('heard')?.state.looks.at(-1)?.p ?? null;
			return {present: present.row('thirdness'), other: state.row('thirdness'), cycles, leftOut, p, compacted, unsaid};
		},
	};
};

/** Strangers may have made up more names than are worth a search. */
const maxKnown = 1000;

/** Tests which texts are left out, and knows afterwards what was named and never said. */
const followLeftOut = ({sources = [], triggers = [], ids = []}: LeftOut) => {
	const wanted = {sources: new Set(sources.map(source => readName(source) ?? source)), triggers: new Set(triggers), ids: new Set(ids)};
	const unsaid = {sources: new Set(wanted.sources), triggers: new Set(triggers), ids: new Set(ids)};
	const known = {sources: new Set<string>(), triggers: new Set<string>(), ids: new Set<string>()};
	const parts = ['sources', 'triggers', 'ids'] as const;
	return {
		isLeftOut(cycle: StoredCycle): boolean {
			const names = {sources: sourceOf(cycle), triggers: cycle.trigger, ids: cycle.id};
			for (const part of parts) {
				unsaid[part].delete(names[part]);
				if (unsaid[part].size > 0 && known[part].size < maxKnown) {
					known[part].add(names[part]);
				}
			}

			return parts.some(part => wanted[part].has(names[part]));
		},
		findUnsaid(): Unsaid | null {
			const by = parts.find(part => unsaid[part].size > 0);
			if (by === undefined) {
				return null;
			}

			const [name] = unsaid[by];
			return {by, name: name!, nearest: nearestName(name!, [...known[by]])};
		},
	};
};
