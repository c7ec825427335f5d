/** The rows of a fleet: their order, filters and pages; and the sources that are named. */
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

/** A top source that explains the drift. */
const moverOf = (source: string) => ({source, share: 0.8, p: 0.01, explains: true});

const entries = [
	entry('ada', {p: 0.4, distance: 1.2}, '2026-03-02T00:00:00.000Z'),
	entry('ben', {p: 0.005, distance: 1.9}, '2026-03-01T00:00:00.000Z'),
	entry('bess', {p: 0.005, distance: 2.5, alarm: true}),
	{...entry('cleo'), row: emptyRow},
	entry('dora', {alarm: true}),
];

const names = (...asked: Parameters<typeof askFleet>) => askFleet(...asked).identities.map(({id}) => id);

test('rows are ordered by p, then by distance, with unwatched identities last; or by newest text or name', t => {
	t.deepEqual(names(entries, {}), ['bess', 'ben', 'ada', 'dora', 'cleo']);
	t.deepEqual(names(entries, {order: 'newest'}), ['ada', 'ben', 'bess', 'cleo', 'dora']);
	t.deepEqual(names(entries, {order: 'name'}), ['ada', 'ben', 'bess', 'cleo', 'dora']);
});

test('rows are filtered by an alarm, by an unusual p or by the beginning of the name', t => {
	t.deepEqual(names(entries, {only: 'alarms'}), ['bess', 'dora']);
	t.deepEqual(names(entries, {only: 'unusual'}), ['bess', 'ben']);
	t.deepEqual(names(entries, {name: 'be'}), ['bess', 'ben']);
	t.like(askFleet(entries, {name: 'be', limit: 1}), {found: 2, total: 5, alarms: 2, unusual: 2, next: 'bess'});
	t.throws(() => askFleet(entries, {after: 'eve'}), {instanceOf: InputError, message: /“eve”.*Begin again/});
});

test('pages list every identity once, in any order', t => {
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

test('a new row keeps the old values that its watch does not know yet', t => {
	const before = {...emptyRow, records: 7, validated: 'v', watch: {...watch, p: 0.01, topSource: moverOf('mallory')}};
	const after = {...emptyRow, records: 9, texts: 9, validated: 'v', watch: undefined};
	t.deepEqual(nextRow(before, after), {...before, texts: 9});
	t.is(nextRow(before, {...after, validated: 'w'}).watch, null, 'a validation clears the watch');
	t.deepEqual(nextRow(null, after), {...after, records: 0, watch: null});
	const {topSource} = nextRow(before, {...after, watch: {...watch, p: 0.008}}).watch!;
	t.is(topSource!.source, 'mallory');
	t.is(nextRow(before, {...after, validated: 'w', watch}).watch!.topSource, undefined);
});

const moved = (name: string, source: string, tailP: number): FleetEntry =>
	entry(name, {p: Math.max(tailP, 0.005), tailP, topSource: moverOf(source)});

test('a source is named if it explains the drift of two or more identities, but not that of one or of none', t => {
	const quiet = Array.from({length: 96}, (_, i) => entry(`quiet ${i}`, {p: 0.5}));
	const rows = [
		...quiet, moved('ada', 'Viktor', 0.00001), moved('ben', 'Viktor', 0.0002), moved('cleo', 'Irina', 1e-9),
		entry('dora', {p: 0.005, tailP: 1e-9, topSource: {...moverOf('Boris'), explains: false}}),
	];
	const {sources} = askFleet(rows, {only: 'alarms'});
	t.deepEqual(sources.map(({source, identities, named}) => [source, identities, named]), [['Viktor', 2, true], ['Irina', 1, false]]);
	t.true(Math.abs(sources[0]!.p - 99 * 0.0002) < 1e-12);
	t.is(sources[1]!.p, 1);
	t.false(askFleet([...rows, ...quiet, ...quiet], {}).sources[0]!.named, 'the same evidence is too weak among three times as many');
	t.deepEqual(askFleet([{...entry('ada'), row: emptyRow}], {}).sources, []);
});

test('of thousands of made-up sources only the 20 strongest are listed', t => {
	const rows = Array.from({length: 3000}, (_, i) => moved(`identity-${i}`, `source ${Math.floor(i / 2)}`, 0.04));
	const {sources} = askFleet([...rows, moved('ada', 'Viktor', 1e-8), moved('ben', 'Viktor', 1e-8)], {limit: 1});
	t.is(sources.length, 20);
	t.is(sources[0]!.source, 'Viktor');
});

test('the p of a source is at least that of all identities together, however they are divided among sources', t => {
	const ps = fc.array(fc.tuple(fc.double({min: 1e-9, max: 1, noNaN: true}), fc.integer({min: 0, max: 5})), {minLength: 1, maxLength: 60});
	fc.assert(fc.property(ps, fc.integer({min: 0, max: 200}), fc.double({min: 0.01, max: 1, noNaN: true}), (drawn, quiet, factor) => {
		const count = drawn.length + quiet;
		const all = pOfMoving(drawn.map(([p]) => p), count);
		const bySource = Map.groupBy(drawn, ([, source]) => source);
		for (const own of bySource.values()) {
			const p = pOfMoving(own.map(([one]) => one), count);
			t.true(p >= all && p <= 1, 'with any division into sources');
			t.true(pOfMoving(own.map(([one]) => one * factor), count) <= p, 'a smaller p of an identity is never weaker evidence');
			t.true(pOfMoving([...own.map(([one]) => one), 1], count) <= p, 'one more identity is never weaker evidence');
			t.true(own.length > 1 || p === 1, 'one identity is no evidence');
		}
	}));
});
