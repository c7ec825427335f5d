/** The laws of what is told from chance (`docs/spec/instruments.md#numbers-to-hold`). */
import {setImmediate} from 'node:timers/promises';
import test from 'ava';
import {divide} from '../../../src/instruments/drift/baseline.ts';
import {examine, twinTalkFor} from '../../../src/instruments/drift/examine.ts';
import {unusualP} from '../../../src/instruments/drift/findings.ts';
import {HeardPath} from '../../../src/instruments/drift/heard-path.ts';
import {Life, startLife, sumsOf} from '../../../src/instruments/drift/life.ts';
import {distanceOf} from '../../../src/instruments/drift/measure.ts';
import {statedRunLength} from '../../../src/instruments/drift/chart.ts';
import {mulberry32} from '../../../src/platform/clock.ts';
import {ask, hear, kinds, live, validate, type Kind} from './ordinary-lives.ts';

const steered = hear('visits', 1, {steered: 0.2});
const {chance, ordinary} = validate(steered.baseline, 1);
const life = live(ordinary, steered.after);
const heard = life.voice('heard')!;

test('p never rises', t => {
	const {looks} = live(ordinary, hear('visits', 1).after).voice('heard')!.state;
	const [ps, distances] = [looks.map(({p}) => p), looks.map(({distance}) => distance)];
	t.is(looks.length, 36);
	t.deepEqual(ps, ps.toSorted((a, b) => b - a));
	t.notDeepEqual(distances, distances.toSorted((a, b) => a - b));
});

test('p is the same whoever looked before, and whichever thread went on', t => {
	let state = startLife(ordinary);
	for (const [i, text] of steered.after.entries()) {
		const looked = new Life(ordinary, state);
		looked.take(text);
		state = i % 100 === 99 ? structuredClone(state) : state;
		const voice = new Life(ordinary, state).voice('heard')!;
		t.true(i % 250 !== 249 || examine(voice, twinTalkFor(voice, steered.baseline, chance), i + 1).find([]).sources.size > 0);
	}

	t.deepEqual(new Life(ordinary, state).voice('heard')!.state.looks, heard.state.looks);
});

test('p does not depend on how the texts since the validation are grouped', t => {
	const random = mulberry32(2);
	const grouped = steered.after.map((text, i) => ({...text, conversation: `${Math.floor(3 * random())}`, time: i * 1_000_000}));
	const other = live(ordinary, grouped).voice('heard')!;
	t.deepEqual(other.state.looks.map(({p, distance}) => [p, distance]), heard.state.looks.map(({p, distance}) => [p, distance]));
	t.not(other.chart.conversations, heard.chart.conversations);
});

test('a conversation that is much longer than those chance is drawn from is said, and one that is a little longer is not', t => {
	const longest = Math.max(...divide(steered.baseline, true).drawn.map(texts => texts.length));
	const [text] = steered.after;
	const talkOf = (length: number) => Array.from({length}, () => ({...text!, conversation: 'long'}));
	t.is(life.tooLong, null);
	t.is(live(ordinary, talkOf(Math.floor(1.5 * longest))).tooLong, null);
	t.deepEqual(live(ordinary, talkOf(2 * longest)).tooLong, {now: 2 * longest, before: longest});
	const answered = talkOf(2 * longest).map((one, i) => ({...one, isOwn: i % 2 === 1}));
	t.is(live(ordinary, answered).tooLong, null, 'what the agent says makes none longer');
});

test('the parts of the sources sum to the squared distance, blame to 1', t => {
	const {sources} = examine(heard, twinTalkFor(heard, steered.baseline, chance), life.texts).find([]);
	const squares = distanceOf(ordinary.heard!.calibration.measure, sumsOf(heard).total()) ** 2;
	const parts = [...sources.values()].reduce((sum, {share}) => sum + share * squares, 0);
	t.true(Math.abs(parts - squares) <= 1e-9 * squares);
	for (const chart of heard.chart.readings.keys()) {
		t.true(Math.abs(heard.chart.blame(chart).reduce((sum, {share}) => sum + share, 0) - 1) <= 1e-9);
	}
});

for (const seed of [1, 2, 3]) {
	test.serial(`steering in 20 % of the visits is found, and the one who steers is named: life ${seed}`, t => {
		const {foundAt, isAlarmed, find} = ask('visits', seed, {steered: 0.2});
		const {sources, pWithoutTopSource} = find();
		const [[top, {p}]] = sources as unknown as [[string, {p: number}]];
		t.true(foundAt !== null && isAlarmed);
		t.is(top, 'mallory');
		t.true(p <= unusualP && pWithoutTopSource! > unusualP);
	});
}

test('talk is no more unusual where the texts of the agent are no longer sent, and steering is found', t => {
	const lives = Array.from({length: 6}, (_, i) => {
		const {baseline, after} = hear('visits whose texts are answered', 10 + i, {after: 1600, steered: i === 5 ? 0.2 : 0});
		const texts = after.filter(({isOwn}) => !isOwn);
		const answered = validate(baseline, 10 + i);
		const {looks, foundAt} = live(answered.ordinary, texts).voice('heard')!.state;
		const path = new HeardPath(baseline, answered.chance);
		for (const text of texts) {
			path.take(text);
		}

		t.is(path.p, looks.at(-1)!.p);
		return foundAt;
	});
	t.true(lives.slice(0, 5).filter(foundAt => foundAt !== null).length <= 1);
	t.not(lives[5], null);
});

/** Of so many lives of each kind. */
const lives = 60;

/** One in twenty is promised, and so many more may be of a series. */
const isPromised = (count: number, promised = 0.05): boolean => count <= Math.max(1, Math.floor((promised + 0.03) * lives));

for (const kind of Object.keys(kinds) as Kind[]) {
	test.serial(`ordinary talk is called unusual as rarely as is promised: ${kind}`, async t => {
		const asked: Array<ReturnType<typeof ask>> = [];
		for (let i = 0; i < lives; i++) {
			asked.push(ask(kind, 100 + i));
			// Each takes a second of the processor; what is done is reported between them.
			await setImmediate();
		}

		const count = (holds: (one: ReturnType<typeof ask>) => boolean) => asked.filter(one => holds(one)).length;
		const found = count(({foundAt}) => foundAt !== null);
		const [changed, alarmed] = [count(({isChanged}) => isChanged), count(({isAlarmed}) => isAlarmed)];
		const conversations = asked.reduce((sum, one) => sum + one.conversations, 0) / lives;
		t.log(`Of ${lives}: ${found} with p ≤ .05, ${changed} with changed_p ≤ .05, ${alarmed} with an alarm`);
		t.true(isPromised(found) && isPromised(changed));
		t.true(alarmed <= lives * (1 - Math.exp(-conversations / statedRunLength) + 0.05) + 1);
	});
}
