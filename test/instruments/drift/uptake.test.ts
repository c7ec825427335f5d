/** What the agent takes up from its sources (`docs/spec/instruments.md#6-sources`). */
import test from 'ava';
import {unusualP} from '../../../src/instruments/drift/findings.ts';
import {Monitor, startMonitor} from '../../../src/instruments/drift/monitor.ts';
import type {BaselineText} from '../../../src/journal/validation.ts';
import {hear, follow, repeatMallory, validate} from './ordinary-histories.ts';

const {baseline, after} = hear('visits with ids whose texts are answered', 5, {steered: 0.2});
const {ordinary} = validate(baseline, 5);

const repeating = (share: number): BaselineText[] => repeatMallory(after, share);

const sources = [...new Set(after.filter(({isOwn}) => !isOwn).map(({source}) => source))];
const namedOf = (monitor: Monitor): string[] => sources.filter(source => {
	const {p} = monitor.uptake.of(source);
	return p !== null && p <= unusualP;
});

test('an agent that repeats a source in two of five answers to others has taken it up, and those answers show it', t => {
	const monitor = follow(ordinary, repeating(0.4));
	t.deepEqual(namedOf(monitor), ['mallory']);
	const {effect, since} = monitor.uptake.of('mallory');
	t.true(effect! > 0.3, `${effect}`);
	t.is(since, after.find(({source}) => source === 'mallory')!.time);
	const {ids, project} = monitor.uptake.strongest('mallory')!;
	const nearest = repeating(0.4).filter(({id}) => ids.includes(id)).toSorted((a, b) => project(b.vector) - project(a.vector)).slice(0, 3);
	t.true(nearest.length === 3 && nearest.every(({id}) => id.startsWith('like Mallory')), nearest.map(({id}) => id).join(', '));
});

test('an agent that answers as before has taken up no source', t => {
	t.deepEqual(namedOf(follow(ordinary, after)), []);
});

test('answers that the model cannot read show no uptake', t => {
	const unread = repeating(0.4).map(text => text.id.startsWith('like Mallory') ? {...text, isUnread: true} : text);
	t.deepEqual(namedOf(follow(ordinary, unread)), []);
});

test('a source is not compared if the agent said one sentence in all conversations without it, for then no effect has a unit', t => {
	const source = 'user 1';
	const visits = new Set([...baseline, ...after].flatMap(text => text.source === source ? [text.conversation] : []));
	const [sentence, later] = [baseline[0]!.vector, baseline[1]!.vector];
	const speak = (texts: readonly BaselineText[], other: (i: number) => Float32Array): BaselineText[] =>
		texts.map((text, i) => text.isOwn && !visits.has(text.conversation) ? {...text, vector: other(i)} : text);
	const monitor = follow(validate(speak(baseline, () => sentence), 5).ordinary, speak(after, i => i % 4 === 1 ? sentence : later));
	t.like(monitor.uptake.of(source), {p: null, effect: null});
	t.true(sources.every(other => Math.abs(monitor.uptake.of(other).effect ?? 0) < 100));
});

test('the p of uptake never rises, and does not depend on the thread that resumes', t => {
	let state = startMonitor(ordinary);
	const ps: number[] = [];
	const found: string[] = [];
	for (const [i, text] of repeating(0.4).entries()) {
		const monitor = new Monitor(ordinary, state);
		found.push(...monitor.take(text).flatMap(one => one.kind === 'taken up' ? [one.source] : []));
		ps.push(monitor.uptake.of('mallory').p ?? 1);
		state = i % 100 === 99 ? structuredClone(state) : state;
	}

	t.deepEqual(ps, ps.toSorted((a, b) => b - a));
	t.true(new Set(ps).size > 1);
	t.deepEqual(found, ['mallory']);
	t.is(ps.at(-1), follow(ordinary, repeating(0.4)).uptake.of('mallory').p!);
});
