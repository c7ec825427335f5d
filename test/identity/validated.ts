/** Journals with a validation, for the tests of the watch on drift. */
import {setTimeout} from 'node:timers/promises';
import type {ModelPassport} from '../../src/embedding/encoder.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {sizeOf} from '../../src/instruments/drift/baseline.ts';
import {usualWeight} from '../../src/instruments/drift/observation.ts';
import {findChance} from '../../src/instruments/drift/ordinary.ts';
import {defaultHorizon} from '../../src/instruments/drift/paths.ts';
import {hashFloats} from '../../src/instruments/hash.ts';
import type {Journal} from '../../src/journal/journal.ts';
import type {BaselineText, Chance, ValidationRecord} from '../../src/journal/validation.ts';
import {randomState} from '../../src/semiosis/initial-state.ts';
import {mulberry32} from '../actors/fixtures.ts';

const begun = '2026-01-01T00:00:00.000Z';

const chances = new Map<string, Chance | null>();

/** Cached, since the tests of a file share their talk, and finding its chance takes 0.3 s. */
const chanceOf = (texts: readonly BaselineText[]): Chance | null => {
	const key = JSON.stringify([hashFloats(texts.map(({vector}) => vector)), texts.map(text => ({...text, vector: null}))]);
	const chance = chances.get(key) ?? findChance(texts, {seed: 1, horizon: defaultHorizon, weight: usualWeight});
	chances.set(key, chance);
	return chance;
};

/** A validation of ordinary talk from before the test. */
const validationOf = (texts: readonly BaselineText[]): ValidationRecord => {
	const initial = randomState(mulberry32(7), begun);
	return {
		kind: 'validation',
		id: 'validated',
		timestamp: begun,
		note: 'As it should be.',
		stateId: initial.stateId,
		anchor: {timestamp: begun, thirdness: initial.row('thirdness')},
		baseline: {...sizeOf(texts), sources: 6, from: begun},
		texts,
		chance: chanceOf(texts),
	};
};

const fakePassport: ModelPassport = {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'};

/** Writes a journal with only a validation. @param passport of the model that will open the journal */
export const withValidation = async <Made extends Journal>(
	journal: Made, texts: readonly BaselineText[], passport: ModelPassport = fakePassport,
): Promise<Made> => {
	const initial = randomState(mulberry32(7), begun);
	await journal.open();
	await journal.begin({initial, reference: initial, passport, isRandom: true});
	await journal.append(validationOf(texts));
	await journal.close();
	return journal;
};

/** Resolves when the watch has started, which happens in a thread. */
export const untilWatched = async (identity: Pick<LocalIdentity, 'watch'>): Promise<void> => {
	while (!identity.watch()) {
		await setTimeout();
	}
};
