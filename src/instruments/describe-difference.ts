/** Describes the difference between two moments: its size, its directions, and the texts that made it. */
import type {Difference, DifferenceSource} from '../generated/types.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {quote} from '../platform/plain-line.ts';
import type {Direction} from '../semiosis/profile.ts';
import {normalise} from '../kernel/normalise.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {compareStates, describeChanges} from './compare.ts';
import {hashNote, joinNotes} from './describe-ledger.ts';
import {turnMrad} from '../kernel/dot.ts';
import {nameMoment} from '../platform/clock.ts';
import {formatCount, formatFixed, phrase} from '../platform/phrase.ts';
import type {LedgerEntry, LedgerText} from './ledger.ts';
import type {Place} from './past/find-moment.ts';
import type {LedgerQuestion, LedgerResult} from './run-ledger.ts';
import {toPastState} from './stretch.ts';

/** The most texts, and the most sources, in the description of a difference. */
const maxShown = 10;

/** More names make a sentence too long to read. */
const maxNamed = 3;

/** The ledger for a difference. Its direction is the unit vector from one state to the other, or a zero vector if they are equal. */
export const toQuestion = ({state: from}: Pick<Place, 'state'>, {state: to}: Pick<Place, 'state'>): LedgerQuestion => {
	const start = from.row('thirdness');
	const way = to.row('thirdness').map((value, i) => value - start[i]!);
	return {by: ['text', 'source'], limit: maxShown, direction: way.some(value => value !== 0) ? normalise(way) : way};
};

/** @param ledger The answer to {@link toQuestion}. */
export const describeDifference = (
	kernel: Kernel, from: StateTensor, to: StateTensor, directions: readonly Direction[], ledger: LedgerResult,
): Difference => {
	const angleMrad = turnMrad(from.row('thirdness'), to.row('thirdness'));
	const changes = compareStates(kernel, from.rows, to.rows, directions);
	const [byText, bySource] = ledger.compositions;
	const way = 2 * Math.sin(angleMrad / 2000);
	const shareOf = ({part}: LedgerEntry): number => way === 0 ? 0 : part! / way;
	const sources = bySource!.entries.filter(({kind}) => kind === 'texts').map(
		entry => ({source: entry.key, texts: entry.texts, share: shareOf(entry)}),
	);
	const pushShare = shareOf(bySource!.entries.find(({kind}) => kind === 'push')!);
	const saidShare = bySource!.entries.filter(
		({kind}) => kind === 'texts' || kind === 'others',
	).reduce((sum, entry) => sum + shareOf(entry), 0);
	// A reset or a revision since then turned it too.
	const isByTexts = ledger.cycles > 0 && (ledger.begins !== 'reset' || ledger.from.stateId === from.stateId);
	return {
		from: toPastState(from),
		to: toPastState(to),
		cycles: ledger.cycles,
		angleMrad,
		directions: changes,
		texts: byText!.entries.flatMap(entry => entry.text ? [{...pickText(entry.text), share: shareOf(entry)}] : []),
		sources,
		pushShare,
		words: way === 0 ? [phrase`Nothing differs between the two.`] : [
			isByTexts ? describeWay(ledger.cycles, angleMrad) : phrase`It turned by ${describeAngle(angleMrad)}.`,
			describeChanges(changes),
			...isByTexts ? [describeParts(sources, pushShare, saidShare)] : [],
		],
		note: joinNotes(
			ledger.begins === 'reset' && phrase`The identity was reset on ${nameMoment(ledger.from.timestamp)}: only what was said since then is
				known to have moved it.`,
			ledger.begins === 'compaction' && phrase`Records up to state ${ledger.from.stateId} are compacted: only later texts are known.`,
			ledger.isHashed && hashNote(),
		),
	};
};

const pickText = ({id, timestamp, source, trigger, content}: LedgerText) => ({id, timestamp, source, trigger, content});

const describeWay = (cycles: number, angleMrad: number): string =>
	phrase`${formatCount(cycles, 'text')} turned it by ${describeAngle(angleMrad)}.`;

const describeAngle = (angleMrad: number): string =>
	phrase`${formatFixed(angleMrad, 1)} mrad (${formatFixed(angleMrad * 180 / (1000 * Math.PI), 1)}°)`;

const percent = (share: number): string => phrase`${Math.round(100 * share)} %`;

/** @param saidShare The share of all texts together. */
const describeParts = (sources: readonly DifferenceSource[], pushShare: number, saidShare: number): string => {
	const named = sources.slice(0, maxNamed).map(({source, texts, share}) =>
		`${quote(source)} ${percent(share)} (${formatCount(texts, 'text')})`);
	return phrase`Of that turn, ${percent(pushShare)} is the rule’s own push, ${percent(1 - pushShare - saidShare)} the fading of
		what was there, and ${percent(saidShare)} what was said: ${named.join(', ')}.`;
};
