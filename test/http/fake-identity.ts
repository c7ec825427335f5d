/**
 * An identity in memory: it records its calls, and answers with fixed views or with those of a
 * test.
 */
import {defaultLoop} from '../../src/actors/loop.ts';
import type {LocalIdentity} from '../../src/identity/identity.ts';
import {dimensions, type Dimension} from '../../src/kernel/dimensions.ts';

/** The methods of an identity, by name. */
export type Question = keyof typeof views;

export type FakeIdentity = LocalIdentity & {
	/** Every call of the identity, in order. */
	readonly calls: readonly {name: Question; arguments: readonly unknown[]}[];
};

const entry = {value: -0.0123, dimension: 'dispositions', polePositive: 'calm', poleNegative: 'agitated'} as const;

const pastState = {stateId: 5, timestamp: '2026-01-30T12:00:00.000Z'};

/** What heard and said have in common. */
const voice = {
	distance: 2.5,
	p: 0.01,
	pNow: 0.005,
	foundAt: 320,
	limit: 1.5,
	unread: {share: 0.125, pWithout: 0.005},
	standOut: [{key: 'affective.calm', pole: 'calm', polePositive: 'calm', poleNegative: 'agitated', t: 0.25, typicalT: 0.125, p: 0.005}],
	path: [{texts: 100, timestamp: pastState.timestamp, distance: 1.25, p: 0.5}],
	chart: {
		conversations: 2,
		readings: [{span: 8, reading: 1.5, limit: 2}],
		averageRunLength: 1000,
		alarm: false,
		since: {id: 'a cycle', source: 'Ada', timestamp: pastState.timestamp},
		blame: [{source: 'Ada', share: 1, texts: 2, ids: ['a cycle', 'another']}],
		unreadShare: 0.125,
		moved: {alike: 1, sources: 2},
	},
};
const tensor = {
	stateId: 7,
	timestamp: '2026-01-31T12:00:00.000Z',
	dimensions: Object.fromEntries(dimensions.map((name, row) => [
		name,
		Float32Array.from({length: 1024}, (_, column) => (row - column) / 3),
	])) as Record<Dimension, Float32Array>,
};

const settled = {
	id: 'a release', timestamp: pastState.timestamp, note: '', by: null, ids: ['a cycle'], stateIdBefore: 7, stateId: 8, turnMrad: 0.9,
	directions: [], words: ['It would be more calm.'], p: null, left: 0,
};

const heldTexts = {
	hold: null, waiting: 1, sources: [{source: 'ada', texts: 1, since: pastState.timestamp, reading: 1.5}],
	texts: [{
		id: 'a cycle', timestamp: pastState.timestamp, source: 'ada', conversation: null, content: null, reason: 'Texts of “ada” wait.',
		dissonance: 0.9,
	}],
};

const pastRevision = {
	kind: 'revision', holds: null, settled: 0,
	id: 'a revision', timestamp: pastState.timestamp, note: 'Not theirs.', by: null, without: {sources: ['ada']}, at: null, excluded: 2,
	forgotten: null,
	stateIdBefore: 7, stateId: 8, turnMrad: 3.5,
};

const views = {
	cycle: async () => ({
		id: 'a cycle',
		stateId: 8,
		deltaMagnitude: 0.001,
		dissonanceTotal: 0.25,
		isChoc: true,
		dimensionsAffected: ['thirdness'],
		processingTimeMs: 12.5,
	}),
	dryRun: async () => ({
		stateId: 8, deltaMagnitude: 0.001, dissonanceTotal: 0.25, isChoc: true,
		dimensionsAffected: ['thirdness'], processingTimeMs: 12.5, dissonancePercentile: 0.5, turnMrad: 0.9,
		moves: [{key: 'affective.calm', polePositive: 'calm', poleNegative: 'agitated', before: 0.1, after: 0.2, change: 0.1}],
		byMethod: {tenacity: 0, authority: 0.1, apriori: 0.2, science: 0.3},
		nearest: [{id: 'a cycle', timestamp: '2026-01-31T12:00:00.000Z', cosine: 0.75, content: null}],
	}),
	whatIf: async () => ({
		from: {stateId: 0, timestamp: '2026-01-31T12:00:00.000Z'}, cycles: 7, leftOut: 2, added: 1, angleMrad: 3.5,
		directions: [{
			key: 'affective.calm',
			polePositive: 'calm',
			poleNegative: 'agitated',
			present: 0.1,
			other: 0.2,
			difference: 0.1,
			zDifference: null,
		}],
		words: ['It would be more calm.'],
		p: null,
		note: null,
	}),
	revise: async ({note, by, dryRun}: {note: string; by: string; dryRun: boolean}) => ({
		...pastRevision, id: dryRun ? null : pastRevision.id, note, by: by || null, texts: 5, directions: [],
		words: ['It is now more calm.'], p: null,
		limit: null, tookSeconds: 0.5,
	}),
	hold: async ({note}: {note: string}) => ({
		...pastRevision, note, texts: 5, directions: [], words: ['From now on no one is on hold.'], p: null, limit: null, tookSeconds: 0.5,
	}),
	forget: async ({note, by, dryRun}: {note: string; by: string; dryRun: boolean}) => ({
		id: dryRun ? null : 'a forgetting', timestamp: pastState.timestamp, note, by: by || null, texts: 2, stateIdBefore: 7, stateId: 8,
		turnMrad: 0.5, directions: [], words: ['It is now more calm.'], validation: null, limit: null, elsewhere: [],
		receipt: dryRun ? null : {
			id: 'a forgetting', timestamp: pastState.timestamp, texts: 2, tombstones: '2 5', digest: 'a3', unreached: ['Backups.'],
			checksum: 'b4',
			contents: {salt: '', passages: ''}, vectors: {salt: '', passages: ''},
		},
		tookSeconds: 0.5,
	}),
	revisions: async () => ({revisions: [pastRevision]}),
	held: async () => heldTexts,
	releaseHeld: async () => settled,
	dropHeld: async () => settled,
	reset: async () => ({stateId: 0}),
	validate: async ({note}: {note: string}) => ({
		id: 'a validation',
		timestamp: pastState.timestamp,
		stateId: 7,
		note,
		baseline: {texts: 600, heard: 400, conversations: 131, sources: null, from: pastState.timestamp},
	}),
	translate: async () => ({text: 'I am calm.', projections: {'affective.calm': 0.5}, reasoningDetected: false, faithfulness: 0.5}),
	'daemon.start': () => ({started: true, config: defaultLoop}),
	'daemon.stop': () => ({stopped: true}),
	readiness: () => ({ready: true, isTemporary: false, parts: {model: 'ok', state: 'ok', journal: 'ok', store: 'ok'}}),
	health: () => ({uptimeSeconds: 1.5, stateId: 7, embeddingModel: 'some/model'}),
	state: () => ({
		stateId: 7,
		timestamp: '2026-01-31T12:00:00.000Z',
		dimensions: Object.fromEntries(dimensions.map((name, row) => [
			name,
			Array.from({length: 10}, (_, column) => (row - column) / 16),
		])) as Record<Dimension, number[]>,
	}),
	stateAt: async () => tensor,
	tensor: () => tensor,
	vigilance: () => ({
		level: 'warning',
		cumulativeDrift: 0.003,
		topDriftingDimensions: ['valeurs', 'firstness', 'thirdness'],
		message: 'Drifting.',
	}),
	metrics: () => ({status: 'warning', uptimeHours: 0.5, totalCycles: 3, cyclesLastHour: 2, alerts: {critical: 0, warning: 1}}),
	'daemon.status': () => ({
		mode: 'conversation',
		isRuminating: false,
		daemonRunning: true,
		lastTrigger: {type: 'user', timestamp: '2026-01-31T12:00:00.000Z'},
		cyclesBreakdown: {user: 1, veille: 2, corpus: 3, rumination_free: 4},
		cyclesSinceLastUser: 9,
		timeSinceLastUserSeconds: 2.5,
	}),
	profile: () => ({
		stateId: 7,
		directionsCount: 1,
		profile: {affective: {calm: entry}},
		referenceProfile: {affective: {calm: {...entry, value: 0.5}}},
		referenceSimilarity: 0.9987,
	}),
	scaledProfile: ({lens = 'own'}: {lens?: 'own' | 'thirdness'} = {}) => ({
		stateId: 7,
		lens,
		begunAtRandom: true,
		examples: 2100,
		note: null,
		tone: null,
		directions: [{
			key: 'affective.calm',
			category: 'affective',
			name: 'calm',
			...entry,
			moves: false,
			z: -1.2345,
			percentile: 0.11,
			quality: 0.9375,
			valence: -0.25,
			word: 'leaning',
			standsOut: true,
			pole: 'agitated',
		}],
	}),
	ledger: async () => ({
		stateId: 7,
		by: 'text',
		direction: 'affective.calm',
		value: 0.25,
		from: pastState,
		cycles: 7,
		beginningLeft: 0.9,
		halfLifeCycles: null,
		entries: [
			{kind: 'beginning', key: 'beginning', texts: 0, share: 0.75, part: 0.125},
			{
				kind: 'text',
				key: 'a cycle',
				texts: 1,
				share: 0.25,
				part: 0.125,
				timestamp: pastState.timestamp,
				source: 'Ada',
				trigger: 'user',
				content: 'The sea.',
			},
		],
		note: null,
	}),
	history: async () => ({
		from: pastState,
		to: pastState,
		direction: 'affective.calm',
		cycles: 7,
		points: [{
			...pastState,
			netMrad: 1.5,
			pathMrad: 2.5,
			beginningLeft: 0.9,
			push: 0.1,
			dissonance: 1,
			dissonancePercentile: null,
			id: 'a cycle',
			source: 'Ada',
			content: 'The sea.',
			value: 0.25,
			z: null,
			chart: [{span: 8, reading: 1.5, limit: 2}],
		}],
	}),
	diff: async () => ({
		from: pastState,
		to: pastState,
		cycles: 7,
		angleMrad: 1.5,
		directions: [{key: 'affective.calm', polePositive: 'calm', poleNegative: 'agitated', from: 0.25, to: 0.5, change: 0.25, zChange: 1.5}],
		texts: [{id: 'a cycle', timestamp: pastState.timestamp, source: 'Ada', trigger: 'user', content: 'The sea.', share: 0.5}],
		sources: [{source: 'Ada', texts: 7, share: 0.5}],
		pushShare: 0.25,
		words: ['7 texts turned it.'],
		note: null,
	}),
	drift: async () => ({
		stateId: 9,
		since: pastState,
		validation: {
			id: 'a validation',
			timestamp: pastState.timestamp,
			note: 'After a month.',
			stateId: 5,
			texts: 600,
			heard: 400,
			conversations: 131,
			ids: 'used',
			alike: {r: 0.125, p: 0.4},
			stationaryP: 0.5,
		},
		cycles: 4,
		netMrad: 2.5,
		excessMrad: 1.25,
		...voice,
		moved: {alike: 1, sources: 2},
		horizon: 4000,
		expired: false,
		sources: [{source: 'Ada', texts: 4, textShare: 1, weightShare: 1, share: 1, push: 0.25, p: 0.005}],
		pWithoutTopSource: 0.5,
		said: voice,
		sentence: 'Since 30 January it moved 3 mrad.',
		note: null,
	}),
	sources: async () => ({
		stateId: 9,
		since: pastState,
		sources: [{
			source: 'Ada', texts: 4, textShare: 1, weightShare: 1, share: 1, push: 0.25, p: 0.005, conversations: 2, coherence: 0.25,
			changedP: null, changedNow: null, uptakeP: null, echoes: 0,
		}],
		moved: null,
		note: null,
	}),
	uptake: async () => ({
		stateId: 9,
		since: pastState,
		sources: [{
			source: 'Ada', texts: 40, since: pastState.timestamp, effect: 0.3, p: 0.01, pNow: 0.001,
			shownBy: [{id: 'a text', timestamp: pastState.timestamp, content: 'It is quiet.'}],
		}],
		sentence: 'It speaks more like Ada.',
		note: null,
	}),
};

/** `instead` takes any values, so that a test can also return invalid views. */
export const fakeIdentity = (instead: {[Name in Question]?: (...given: never[]) => unknown} = {}): FakeIdentity => {
	const calls: {name: Question; arguments: readonly unknown[]}[] = [];
	const identity = Object.fromEntries(Object.entries({...views, ...instead}).map(([name, answer]) => [
		name,
		(...given: never[]) => {
			calls.push({name: name as Question, arguments: given});
			return (answer as (...given: never[]) => unknown)(...given);
		},
	]));
	const daemon = {start: identity['daemon.start'], stop: identity['daemon.stop'], status: identity['daemon.status']};
	return {...identity, daemon, calls, watch: () => null} as unknown as FakeIdentity;
};
