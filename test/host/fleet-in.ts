/** A host in a folder that keeps a fleet of watched identities, with a simulated clock. */
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import type {ExecutionContext} from 'ava';
import {SimulatedClock} from 'xstate';
import {createEmbeddedHost, type EmbeddedHostOptions} from '../../src/host/embedded-host.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import type {Journal} from '../../src/journal/journal.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {openJournals} from '../../src/journal/sqlite/journals.ts';
import {createSqliteJournal} from '../../src/journal/sqlite/sqlite-journal.ts';
import {toUnitLength} from '../../src/kernel/normalise.ts';
import {mulberry32} from '../../src/platform/clock.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {withValidation} from '../identity/validated.ts';
import {unitVector} from '../instruments/run-texts.ts';
import {startTalk} from '../instruments/simulated-talk.ts';
import {kernel} from './host-in.ts';

/** The vectors that the encoder gives for these texts; those of other texts are random. */
const vectors = new Map<string, Float32Array>();

export const encoder = {
	passport: {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'},
	embed: async (text: string) => vectors.get(text) ?? vectorOf(text),
} as const;

export const validate = async (folder: string, name: string, seed: number) =>
	validateIn(createSqliteJournal({folder: path.join(folder, 'identities', name)}), name, seed);

/** Writes the journal of an identity that was validated with ordinary talk. @returns makers of its next conversations */
export const validateIn = async (journal: Journal, name: string, seed: number) => {
	const random = mulberry32(seed);
	const talk = startTalk(random);
	await withValidation(journal, talk.texts(400));
	const topic = unitVector(9000, 64);
	let said = 0;
	const toTexts = (texts: readonly Pick<BaselineText, 'vector' | 'source'>[]) => texts.map(({vector, source}) => {
		const content = `${name} ${++said}`;
		vectors.set(content, vector);
		return {content, source};
	});
	return {
		ordinary: () => toTexts(talk.visit()),
		strange: () => toTexts(Array.from({length: 8}, () => ({
			source: 'mallory', vector: toUnitLength(topic.map((value, i) => value + (i < 64 ? (random() - 0.5) * 0.3 : 0))),
		}))),
	};
};

/** @param clock The clock of an earlier host, to continue its time. */
export const startFleet = (
	t: ExecutionContext, folder: string,
	{clock = new SimulatedClock(), ...options}: Partial<EmbeddedHostOptions> & {clock?: SimulatedClock} = {},
) => {
	const time = {now: () => Date.UTC(2026, 0, 1) + clock.now(), elapsed: () => clock.now()};
	const warnings: string[] = [];
	const opened: string[] = [];
	const openedAt: number[] = [];
	const alarms: string[] = [];
	const noticed: string[] = [];
	const host = createEmbeddedHost({
		journals: openJournals({folder: path.join(folder, 'identities'), elsewhere: {default: path.join(folder, 'journal')}}),
		async open(name, journal, {state} = {}) {
			opened.push(name);
			openedAt.push(clock.now());
			const {identity} = await startIdentity({
				kernel, journal, clock, time, encoder, newId: () => crypto.randomUUID(), ...(state && {initialState: state}),
			});
			// A listener at the actor does not keep the identity in memory.
			identity.actor.on('drift.alarm', () => alarms.push(name));
			identity.actor.on('source.noticed', ({source}) => noticed.push(`${name}: ${source}`));
			return identity;
		},
		idleMs: 300_000, fleetFile: path.join(folder, 'fleet.sqlite'), time, timers: clock,
		warn(warning) {
			warnings.push(warning);
		},
		...options,
	});
	const end = async (): Promise<void> => host[Symbol.asyncDispose]();
	t.teardown(end);
	const find = async (name: string): Promise<LocalIdentity> => (await host.place(name)).here;

	/** Runs the texts of a conversation, an hour after the one before. */
	const say = async (name: string, texts: readonly {content: string; source: string}[]): Promise<void> => {
		clock.increment(3_600_000);
		for (const text of texts) {
			clock.increment(60_000);
			await (await find(name)).cycle(text);
		}
	};

	/** Lets seconds pass until a condition holds. */
	const until = async (is: () => Promise<boolean> | boolean): Promise<void> => {
		while (!await is()) {
			clock.increment(1000);
			await setTimeout(2);
		}
	};

	const fleet = async (...asked: Parameters<NonNullable<typeof host.fleet>>) => host.fleet!(...asked);
	const rowOf = async (name: string) => (await fleet({name})).identities.find(({id}) => id === name)!;
	return {host, clock, warnings, opened, openedAt, alarms, noticed, end, find, say, until, fleet, rowOf};
};
