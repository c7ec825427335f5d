/** The rows of a fleet: which come first, which are chosen, and how they are read page by page. */
import test from 'ava';
import fc from '../helpers/fast-check.ts';
import {InputError} from '../../src/platform/errors.ts';
import {pOfMoving} from '../../src/instruments/name-identities.ts';
import {askFleet, emptyRow, nextRow, type FleetEntry, type FleetWatch} from '../../src/instruments/fleet.ts';

const watch: FleetWatch = {
	alarm: false, p: null, tailP: null, distance: null, unreadShare: 0, readings: [], conversations: 0, endsAt: null,
};

const entry = (name: string, watched: Partial<FleetWatch> = {}, lastText: string | null = null): FleetEntry =>
	({name, row: {...emptyRow, lastText, watch: {...watch, tailP: watched.p ?? null, ...watched}}, isCurrent: true});

/** Of one that explains the drift. */
const moverOf = (source: string) => ({source, share: 0.8, p: 0.01, explains: true});

const entries = [
	entry('ada', {p: 0.4, distance: 1.2}, '2026-03-02T00:00:00.000Z'),
	entry('ben', {p: 0.005, distance: 1.9}, '2026-03-01T00:00:00.000Z'),
	entry('bess', {p: 0.005, distance: 2.5, alarm: true}),
	{...entry('cleo'), row: emptyRow},
	entry('dora', {alarm: true}),
];

const names = (...asked: Parameters<typeof askFleet>) => askFleet(...asked).identities.map(({id}) => id);

test('the smallest p comes first, of equal ones the greatest distance, and last who is not watched', t => {
	t.deepEqual(names(entries, {}), ['bess', 'ben', 'ada', 'dora', 'cleo']);
	t.deepEqual(names(entries, {order: 'newest'}), ['ada', 'ben', 'bess', 'cleo', 'dora']);
	t.deepEqual(names(entries, {order: 'name'}), ['ada', 'ben', 'bess', 'cleo', 'dora']);
});

test('who has an alarm, who is unusual, and whose name begins so can be asked for', t => {
	t.deepEqual(names(entries, {only: 'alarms'}), ['bess', 'dora']);
	t.deepEqual(names(entries, {only: 'unusual'}), ['bess', 'ben']);
	t.deepEqual(names(entries, {name: 'be'}), ['bess', 'ben']);
	t.like(askFleet(entries, {name: 'be', limit: 1}), {found: 2, total: 5, alarms: 2, unusual: 2, next: 'bess'});
	t.throws(() => askFleet(entries, {after: 'eve'}), {instanceOf: InputError, message: /“eve”.*Begin again/});
});

test('pages have every identity once, whatever the order', t => {
	const some = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,4}$/), fc.constantFrom(null, 0.005, 0.5)), {selector: ([name]) => name});
	fc.assert(fc.property(some, fc.integer({min: 1, max: 5}), fc.constantFrom('evidence', 'newest', 'name'), (rows, limit, order) => {
		const all = rows.map(([name, p]) => entry(name, {p}));
		const found: string[] = [];
		for (let after: string | null = ''; after !== null;) {
			const page = askFleet(all, {order, limit, after});
			found.push(...page.identities.map(({id}) => id));
			after = page.next;
		}

		t.deepEqual(found, names(all, {order, limit: 1000}));
		t.is(new Set(found).size, rows.length);
	}));
});

test('what a watch does not know yet stays as it was', t => {
	const before = {...emptyRow, records: 7, validated: 'v', watch: {...watch, p: 0.01, topSource: moverOf('mallory')}};
	const after = {...emptyRow, records: 9, texts: 9, validated: 'v', watch: undefined};
	t.deepEqual(nextRow(before, after), {...before, texts: 9});
	t.is(nextRow(before, {...after, validated: 'w'}).watch, null, 'after a validation nothing of it is known');
	t.deepEqual(nextRow(null, after), {...after, records: 0, watch: null});
	const {topSource} = nextRow(before, {...after, watch: {...watch, p: 0.008}}).watch!;
	t.is(topSource!.source, 'mallory');
	t.is(nextRow(before, {...after, validated: 'w', watch}).watch!.topSource, undefined);
});

const moved = (name: string, source: string, tailP: number): FleetEntry =>
	entry(name, {p: Math.max(tailP, 0.005), tailP, topSource: moverOf(source)});

test('a source that explains the drift of two or more is named within one budget; one that moves one, or explains none, is not', t => {
	const quiet = Array.from({length: 96}, (_, i) => entry(`quiet ${i}`, {p: 0.5}));
	const rows = [
		...quiet, moved('ada', 'Viktor', 0.00001), moved('ben', 'Viktor', 0.0002), moved('cleo', 'Irina', 1e-9),
		entry('dora', {p: 0.005, tailP: 1e-9, topSource: {...moverOf('Boris'), explains: false}}),
	];
	const {sources} = askFleet(rows, {only: 'alarms'});
	t.deepEqual(sources.map(({source, identities, named}) => [source, identities, named]), [['Viktor', 2, true], ['Irina', 1, false]]);
	t.true(Math.abs(sources[0]!.p - 99 * 0.0002) < 1e-12);
	t.is(sources[1]!.p, 1);
	t.false(askFleet([...rows, ...quiet, ...quiet], {}).sources[0]!.named, 'twice as much of it is needed among three times as many');
	t.deepEqual(askFleet([{...entry('ada'), row: emptyRow}], {}).sources, []);
});

test('of thousands of names that a stranger makes up, the strongest are answered', t => {
	const rows = Array.from({length: 3000}, (_, i) => moved(`identity-${i}`, `source ${Math.floor(i / 2)}`, 0.04));
	const {sources} = askFleet([...rows, moved('ada', 'Viktor', 1e-8), moved('ben', 'Viktor', 1e-8)], {limit: 1});
	t.is(sources.length, 20);
	t.is(sources[0]!.source, 'Viktor');
});

test('chance names no source more often than one test of all identities says, whichever sources there are', t => {
	const ps = fc.array(fc.tuple(fc.double({min: 1e-9, max: 1, noNaN: true}), fc.integer({min: 0, max: 5})), {minLength: 1, maxLength: 60});
	fc.assert(fc.property(ps, fc.integer({min: 0, max: 200}), fc.double({min: 0.01, max: 1, noNaN: true}), (drawn, quiet, factor) => {
		const count = drawn.length + quiet;
		const all = pOfMoving(drawn.map(([p]) => p), count);
		const bySource = Map.groupBy(drawn, ([, source]) => source);
		for (const own of bySource.values()) {
			const p = pOfMoving(own.map(([one]) => one), count);
			t.true(p >= all && p <= 1, 'with any division into sources');
			t.true(pOfMoving(own.map(([one]) => one * factor), count) <= p, 'less p of an identity is never less evidence');
			t.true(pOfMoving([...own.map(([one]) => one), 1], count) <= p, 'and neither is one more identity');
			t.true(own.length > 1 || p === 1, 'of one identity there is none');
		}
	}));
});
