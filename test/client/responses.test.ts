/** The client's types of requests and responses are those of the schemas that the service checks with. */
import {readFile} from 'node:fs/promises';
import test from 'ava';
import type {Static} from '../../src/platform/typebox.ts';
import {clientTypes} from '../../scripts/client-types.ts';
import type * as client from '../../src/client/responses.ts';
import type {questions} from '../../src/http/questions.ts';
import type {SnakeCase} from '../../src/wire/snake-case.ts';

test('they are written from the schemas as they are', async t => {
	t.is(await readFile(new URL('../../src/client/responses.ts', import.meta.url), 'utf8'), clientTypes(), 'run npm run client-types');
});

type Same<One, Other> = [One] extends [Other] ? [Other] extends [One] ? true : false : false;
type Row = (typeof questions)[number];

/** An answer in the names of the wire. Keys of records that may have any are data. */
type OnWire<Value> = Value extends ReadonlyArray<infer Item> ? Array<OnWire<Item>>
	: Value extends object ? string extends keyof Value ? {[Key in keyof Value]: OnWire<Value[Key]>} : SnakeCase<{[Key in keyof Value]: OnWire<Value[Key]>}>
		: Value;

type AnswerOf<Name extends Row['name']> = OnWire<Static<Extract<Row, {name: Name}>['answer']>>;

test('each is the type that TypeBox derives from its schema', t => {
	// The compiler compares; a difference is an error here.
	const same: {
		health: Same<client.Health, AnswerOf<'health'>>;
		dryRun: Same<client.DryRunResponse, AnswerOf<'dryRun'>>;
		whatIf: Same<client.WhatIfResponse, AnswerOf<'whatIf'>>;
		translate: Same<client.TranslateResponse, AnswerOf<'translate'>>;
		state: Same<client.State, AnswerOf<'state'>>;
		tensor: Same<client.Tensor, AnswerOf<'tensor'>>;
		vigilance: Same<client.Vigilance, AnswerOf<'vigilance'>>;
		metrics: Same<client.Metrics, AnswerOf<'metrics'>>;
		reset: Same<client.ResetResponse, AnswerOf<'reset'>>;
		validate: Same<client.ValidateResponse, AnswerOf<'validate'>>;
		daemonStart: Same<client.DaemonStartResponse, AnswerOf<'daemonStart'>>;
		daemonStop: Same<client.DaemonStopResponse, AnswerOf<'daemonStop'>>;
		daemonStatus: Same<client.DaemonStatus, AnswerOf<'daemonStatus'>>;
		profile: Same<client.Profile, AnswerOf<'profile'>>;
		scaledProfile: Same<client.ScaledProfile, AnswerOf<'scaledProfile'>>;
		ledger: Same<client.Ledger, AnswerOf<'ledger'>>;
		history: Same<client.History, AnswerOf<'history'>>;
		diff: Same<client.Difference, AnswerOf<'diff'>>;
		drift: Same<client.Drift, AnswerOf<'drift'>>;
		sources: Same<client.Sources, AnswerOf<'sources'>>;
	} = {
		health: true, dryRun: true, whatIf: true, translate: true, state: true, tensor: true, vigilance: true, metrics: true, reset: true, validate: true,
		daemonStart: true, daemonStop: true, daemonStatus: true, profile: true, scaledProfile: true, ledger: true, history: true, diff: true, drift: true, sources: true,
	};
	t.is(Object.keys(same).length, 20);
});
