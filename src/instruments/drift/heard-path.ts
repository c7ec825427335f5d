/** Follows p of what was heard, look by look, without the charts and tests of a `Monitor`. */
import type {BaselineText} from '../../journal/validation.ts';
import type {StoredCycle} from '../../journal/journal.ts';
import {isOf} from '../source-of.ts';
import {divide, toBaselineText} from './baseline.ts';
import {distanceOf} from './measure.ts';
import {chanceOf, learnVoice, type OrdinaryTalk} from './ordinary.ts';
import {comparedPart} from './observation.ts';
import {addLook, isNextLook, lookAt, type Look} from './paths.ts';
import {WeightedSums} from './weighted-sums.ts';

type HeardText = Pick<BaselineText, 'source' | 'time' | 'isOwn' | 'vector'>;

/** @returns null without a baseline, or if it is too small */
export const followHeard = (ordinary: OrdinaryTalk | null) => {
	const chance = ordinary && chanceOf(ordinary);
	const learnt = chance && learnVoice('heard', divide(ordinary.texts, chance));
	if (!learnt) {
		return null;
	}

	const {weight, heard} = chance;
	const {measure, mean, usualShare} = learnt;
	let sums = new WeightedSums(measure.width);
	let texts = 0;
	let looks: readonly Look[] = [];
	const take = (text: HeardText): void => {
		// After the last look p is final.
		if (!isNextLook(heard, looks)) {
			return;
		}

		texts++;
		sums.fade(1 - weight);
		if (isOf('heard', text)) {
			sums.add(text.source, weight, text.vector, {mean});
		}

		if (lookAt(texts) !== null) {
			const part = comparedPart(sums.weight / (1 - (1 - weight) ** texts), usualShare);
			looks = addLook(heard, looks, {time: text.time, distance: distanceOf(measure, sums.times(part).total())});
		}
	};

	return {
		/** The probability that chance ever leads as far; null before the first look. */
		get p(): number | null {
			return looks.at(-1)?.p ?? null;
		},
		reset() {
			[sums, texts, looks] = [new WeightedSums(measure.width), 0, []];
		},
		/** Takes the next text, own ones too. */
		take,
		/** Takes the next cycle, unless the validation is later: a revision may leave out the validation's own record. */
		hear(seq: number, cycle: StoredCycle) {
			if (seq > ordinary.seq) {
				take(toBaselineText(cycle));
			}
		},
	};
};
