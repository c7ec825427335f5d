/** Names and texts of others are shown on one line, in quotation marks, without control characters. */
import {isDeepStrictEqual} from 'node:util';
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {formatTable} from '../../src/commands/terminal.ts';
import {line, showLedger} from '../../src/commands/show-answers.ts';
import type {Ledger} from '../../src/generated/types.ts';
import {describeSelf} from '../../src/agents/listen-with.ts';
import {readName} from '../../src/instruments/source-of.ts';
import {copyBeginning, cutText, escapeHidden, plainLine, quote} from '../../src/platform/plain-line.ts';
import {anyText} from '../helpers/any-text.ts';
import {attacks, steering} from '../helpers/attacks.ts';
import fc from '../helpers/fast-check.ts';

for (const [name, attack] of Object.entries(attacks)) {
	test(`${name}: quoted on one line in a sentence`, t => {
		const quoted = quote(attack);
		t.regex(quoted, /^“[^“”"\n]*”$/);
		t.notRegex(quoted, steering);
		t.true(quoted.length <= 203);
	});

	test(`${name}: on one line in a table of a terminal`, t => {
		const table = formatTable(['who', 'text'], [[attack, line(attack)]]);
		t.is(table.split('\n').length, 2);
		t.notRegex(table.replaceAll('\n', ''), steering);
	});
}

test('a table cuts a long name, so that no row is wider than a screen', t => {
	const ledger: Ledger = {
		stateId: 1, by: 'source', direction: null, value: null, from: {stateId: 0, timestamp: '2026-11-28T00:00:00.000Z'}, cycles: 1,
		beginningLeft: 0.5, halfLifeCycles: 600, note: null,
		entries: [{kind: 'texts', key: 'n'.repeat(200), texts: 1, share: 0.5, part: null}],
	} as unknown as Ledger;
	t.true(showLedger(ledger).split('\n').every(({length}) => length < 100));
});

test('any text becomes one line without invisible characters, and a plain line is unchanged', t => {
	fc.assert(fc.property(anyText({maxLength: 300}), text => {
		const shown = plainLine(text, 200);
		return !steering.test(shown) && shown.length <= 201 && plainLine(shown) === shown;
	}));
	t.is(plainLine('one \u202E space'), 'one space');
	t.is(plainLine('Zoë sagt: „Ça va?“ 👩‍🚀'), 'Zoë sagt: „Ça va?“ 👩‍🚀');
});

test('JSON for a terminal has no control characters, and the same value', t => {
	fc.assert(fc.property(anyText({maxLength: 300}), text => {
		const json = JSON.stringify({text, more: Object.values(attacks)}, null, '\t');
		const shown = escapeHidden(json);
		return !steering.test(shown.replaceAll(/[\n\t]/g, '')) && isDeepStrictEqual(JSON.parse(shown), JSON.parse(json));
	}));
	t.is(escapeHidden('["\u009B31m"]'), String.raw`["\u009b31m"]`);
});

test('an invisible source counts as none', t => {
	t.is(readName(attacks['invisible words']), null);
	t.is(readName('\u202EAda'), 'Ada');
});

test('a pole from an application is quoted for a model', t => {
	const direction = {
		key: 'a.b',
		polePositive: attacks['new lines']!,
		poleNegative: attacks['quotation marks']!,
		pole: attacks['new lines']!,
		z: 3,
		word: 'strong',
		standsOut: true,
	};
	const text = describeSelf({directions: [direction as never], tone: null, note: null}, 3)!;
	t.is(text.split('\n').length, 2);
	t.regex(text, /^- strongly towards “[^“”]*” rather than “[^“”]*”$/m);
});

test('the beginning of a text does not keep the rest in memory', t => {
	setFlagsFromString('--expose-gc');
	const heapAfterGarbage = () => {
		runInNewContext('gc')();
		return process.memoryUsage().heapUsed;
	};

	const before = heapAfterGarbage();
	const kept = Array.from({length: 50}, (_, i) => copyBeginning(Buffer.alloc(1_000_000, `text ${i} `).toString(), 100, cutText));
	t.true(heapAfterGarbage() - before < 10_000_000);
	t.is(kept[7], `${'text 7 '.repeat(15).slice(0, 100)}…`);
});
