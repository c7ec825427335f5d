/** How far what was heard goes from ordinary talk, look by look: p alone, without all else that is followed of a history. */
import type {BaselineText, Chance} from '../../journal/validation.ts';
import type {StoredCycle} from '../../journal/journal.ts';
import {isOf} from '../source-of.ts';
import {toBaselineText} from './baseline.ts';
import {distanceOf} from './measure.ts';
import {learnHeard, type OrdinaryTalk} from './ordinary.ts';
import {comparedPart} from './observation.ts';
import {addLook, isNextLook, lookAt, type Look} from './paths.ts';
import {WeightedSums} from './weighted-sums.ts';

export class HeardPath {
	readonly #validated: number;
	readonly #chance: Chance;
	readonly #learnt: ReturnType<typeof learnHeard>;
	#sums: WeightedSums;
	#texts = 0;
	#looks: readonly Look[] = [];

	constructor({seq, texts}: OrdinaryTalk, chance: Chance) {
		this.#validated = seq;
		this.#chance = chance;
		this.#learnt = learnHeard(texts, chance);
		this.#sums = new WeightedSums(this.#learnt.measure.width);
	}

	/** How likely chance ever leads as far; null before the first look. */
	get p(): number | null {
		return this.#looks.at(-1)?.p ?? null;
	}

	/** Begins again: nothing was heard yet. */
	reset(): void {
		this.#sums = new WeightedSums(this.#learnt.measure.width);
		this.#texts = 0;
		this.#looks = [];
	}

	/** Takes the cycle of the next text, unless the validation is later: a revision may leave out the validation's own record. */
	hear(seq: number, cycle: StoredCycle): void {
		if (seq > this.#validated && this.#isOpen) {
			this.take(toBaselineText(cycle));
		}
	}

	/** Takes the next text, an own one too. */
	take(text: Pick<BaselineText, 'source' | 'time' | 'isOwn' | 'vector'>): void {
		if (!this.#isOpen) {
			return;
		}

		const {weight, heard} = this.#chance;
		const {measure, mean, usualShare} = this.#learnt;
		this.#texts++;
		this.#sums.fade(1 - weight);
		if (isOf('heard', text)) {
			this.#sums.add(text.source, weight, text.vector, {mean});
		}

		if (lookAt(this.#texts) !== null) {
			const part = comparedPart(this.#sums.weight / (1 - (1 - weight) ** this.#texts), usualShare);
			this.#looks = addLook(heard, this.#looks, {time: text.time, distance: distanceOf(measure, this.#sums.times(part).total())});
		}
	}

	/** Behind the last look nothing is to be known. */
	get #isOpen(): boolean {
		return isNextLook(this.#chance.heard, this.#looks);
	}
}
