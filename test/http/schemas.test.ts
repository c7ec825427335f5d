/**
 * Responses are checked against their schemas: an invalid view of the identity is an error.
 */
import test from 'ava';
import {defaultLoop} from '../../src/actors/loop.ts';
import {DaemonStatus} from '../../src/http/schemas/daemon.ts';
import {fakeIdentity, type Question} from './fake-identity.ts';
import {serve} from './service.ts';

const whole = fakeIdentity();

/** Every field of every response, with invalid values. */
const broken: {[Name in Question]: {
	method: string;
	path: string;
	body?: object;
	good: object;
	faults: Record<string, [field: string, value: unknown][]>;
}} = {
	health: {
		method: 'GET', path: '/health', good: whole.health(),
		faults: {
			uptime_seconds: [['uptimeSeconds', '1'], ['uptimeSeconds', Number.NaN]],
			state_id: [['stateId', 1.5], ['stateId', -2]],
			embedding_model: [['embeddingModel', null]],
		},
	},
	cycle: {
		method: 'POST', path: '/cycle', body: {content: 'a text'}, good: await whole.cycle({content: ''}),
		faults: {
			state_id: [['stateId', null]],
			delta_magnitude: [['deltaMagnitude', Number.POSITIVE_INFINITY]],
			dissonance_total: [['dissonanceTotal', '0']],
			is_choc: [['isChoc', 0]],
			dimensions_affected: [['dimensionsAffected', 'thirdness']],
			'dimensions_affected.0': [['dimensionsAffected', ['fourthness']]],
			processing_time_ms: [['processingTimeMs', -1]],
		},
	},
	dryRun: {
		method: 'POST', path: '/dry-run', body: {content: 'a text'}, good: await whole.dryRun(''),
		faults: {
			state_id: [['stateId', null]],
			dissonance_percentile: [['dissonancePercentile', 2]],
			turn_mrad: [['turnMrad', -1]],
			'moves.0.change': [['moves', [{key: 'a.b', polePositive: '', poleNegative: '', before: 0, after: 0, change: Number.NaN}]]],
			'by_method.science': [['byMethod', {tenacity: 0, authority: 0, apriori: 0, science: '0'}]],
			'nearest.0.cosine': [['nearest', [{id: '', timestamp: '2026-01-31T12:00:00.000Z', cosine: 2, content: null}]]],
		},
	},
	whatIf: {
		method: 'POST', path: '/what-if', body: {}, good: await whole.whatIf({}),
		faults: {
			'from.state_id': [['from', {stateId: null, timestamp: '2026-01-31T12:00:00.000Z'}]],
			cycles: [['cycles', -1]],
			left_out: [['leftOut', 0.5]],
			added: [['added', '1']],
			angle_mrad: [['angleMrad', null]],
			'directions.0.z_difference': [[
				'directions',
				[{key: 'a.b', polePositive: '', poleNegative: '', present: 0, other: 0, difference: 0, zDifference: '1'}],
			]],
			'words.0': [['words', [0]]],
			p: [['p', 1.5]],
		},
	},
	revise: {
		method: 'POST', path: '/revise', body: {note: 'Not theirs.', without: {}}, good: await whole.revise({note: 'Not theirs.', without: {}}),
		faults: {
			excluded: [['excluded', -1]],
			turn_mrad: [['turnMrad', -1]],
			texts: [['texts', 0.5]],
			p: [['p', 1.5]],
		},
	},
	hold: {
		method: 'POST', path: '/hold', body: {note: 'Not his.', sources: ['viktor']}, good: await whole.hold({note: 'Not his.'}),
		faults: {kind: [['kind', 'held']], 'words.0': [['words', [0]]]},
	},
	forget: {
		method: 'POST', path: '/forget', body: {note: 'A request.', sources: ['viktor']},
		good: await whole.forget({note: 'A request.', sources: ['viktor']}),
		faults: {
			texts: [['texts', -1]],
			turn_mrad: [['turnMrad', -1]],
			validation: [['validation', 1]],
			'elsewhere.0': [['elsewhere', [0]]],
		},
	},
	revisions: {
		method: 'GET', path: '/revisions', good: await whole.revisions(),
		faults: {'revisions.0.note': [['revisions', [{...(await whole.revisions()).revisions[0], note: null}]]]},
	},
	held: {
		method: 'GET', path: '/held', good: await whole.held(),
		faults: {waiting: [['waiting', -1]], 'texts.0.reason': [['texts', [{...(await whole.held()).texts[0], reason: null}]]]},
	},
	releaseHeld: {
		method: 'POST', path: '/held/release', body: {sources: ['viktor']}, good: await whole.releaseHeld(), faults: {left: [['left', -1]]},
	},
	dropHeld: {
		method: 'POST', path: '/held/drop', body: {ids: ['a cycle']}, good: await whole.dropHeld(), faults: {turn_mrad: [['turnMrad', -1]]},
	},
	stateAt: {
		method: 'GET', path: '/state?at=3', good: await whole.stateAt(3),
		faults: {state_id: [['stateId', true]], timestamp: [['timestamp', 1]]},
	},
	reset: {method: 'POST', path: '/reset', good: {stateId: 0}, faults: {state_id: [['stateId', '0']]}},
	validate: {
		method: 'POST', path: '/validate', body: {note: 'As it is.'}, good: await whole.validate({note: 'As it is.'}),
		faults: {
			state_id: [['stateId', null]],
			'baseline.texts': [['baseline', {texts: -1, heard: 300, conversations: 40, sources: null, from: '2026-01-31T12:00:00.000Z'}]],
			'baseline.conversations': [
				['baseline', {texts: 400, heard: 300, conversations: '40', sources: null, from: '2026-01-31T12:00:00.000Z'}],
			],
			'baseline.sources': [['baseline', {texts: 400, heard: 300, conversations: 40, sources: '1', from: '2026-01-31T12:00:00.000Z'}]],
		},
	},
	translate: {
		method: 'POST', path: '/translate', good: await whole.translate({context: null}),
		faults: {
			text: [['text', null]],
			projections: [['projections', []]],
			'projections.a': [['projections', {a: '1'}]],
			reasoning_detected: [['reasoningDetected', 'no']],
		},
	},
	'daemon.start': {
		method: 'POST', path: '/daemon/start', good: whole.daemon.start(),
		faults: {
			'config.cycle_interval_seconds': [['config', {...defaultLoop, cycleIntervalSeconds: '864'}]],
			'config.prob_corpus': [['config', {...defaultLoop, probCorpus: 2}]],
		},
	},
	'daemon.stop': {method: 'POST', path: '/daemon/stop', good: whole.daemon.stop(), faults: {}},
	readiness: {
		method: 'GET', path: '/readyz', good: whole.readiness(), faults: {languages: [['languages', [7]]]},
	},
	state: {
		method: 'GET', path: '/state', good: whole.state(),
		faults: {
			state_id: [['stateId', true]],
			timestamp: [['timestamp', 1]],
			'dimensions.valeurs': [['dimensions', {...whole.state().dimensions, valeurs: [1]}]],
			'dimensions.firstness.9': [['dimensions', {...whole.state().dimensions, firstness: [0, 0, 0, 0, 0, 0, 0, 0, 0, null]}]],
			dimensions: [['dimensions', {}]],
		},
	},
	tensor: {
		method: 'GET', path: '/tensor', good: whole.tensor(),
		faults: {
			state_id: [['stateId', true]],
			timestamp: [['timestamp', 1]],
			'dimensions.valeurs': [['dimensions', {...whole.tensor().dimensions, valeurs: new Float32Array(1025)}]],
			'dimensions.firstness.9': [['dimensions', {...whole.tensor().dimensions, firstness: new Float32Array(1024).with(9, Number.NaN)}]],
		},
	},
	vigilance: {
		method: 'GET', path: '/vigilance', good: whole.vigilance(),
		faults: {
			level: [['level', 'fine']],
			cumulative_drift: [['cumulativeDrift', null]],
			'top_drifting_dimensions.0': [['topDriftingDimensions', [0]]],
			message: [['message', 0]],
		},
	},
	metrics: {
		method: 'GET', path: '/metrics', good: whole.metrics(),
		faults: {
			status: [['status', 'ok']],
			uptime_hours: [['uptimeHours', '1']],
			total_cycles: [['totalCycles', 0.5]],
			cycles_last_hour: [['cyclesLastHour', -1]],
			'alerts.warning': [['alerts', {critical: 0, warning: '1'}]],
		},
	},
	'daemon.status': {
		method: 'GET', path: '/daemon/status', good: whole.daemon.status(),
		faults: {
			mode: [['mode', 'asleep']],
			is_ruminating: [['isRuminating', 'no']],
			daemon_running: [['daemonRunning', 1]],
			last_trigger: [['lastTrigger', {type: 'user', timestamp: 5}]],
			'cycles_breakdown.user': [['cyclesBreakdown', {...whole.daemon.status().cyclesBreakdown, user: null}]],
			cycles_since_last_user: [['cyclesSinceLastUser', '9']],
			time_since_last_user_seconds: [['timeSinceLastUserSeconds', '2']],
		},
	},
	profile: {
		method: 'GET', path: '/profile', good: whole.profile(),
		faults: {
			directions_count: [['directionsCount', null]],
			'profile.a.b.value': [['profile', {a: {b: {value: 'much', dimension: 'valeurs', polePositive: '', poleNegative: ''}}}]],
			'reference_profile.a.b.dimension': [
				['referenceProfile', {a: {b: {value: 0, dimension: 'none', polePositive: '', poleNegative: ''}}}],
			],
			reference_similarity: [['referenceSimilarity', Number.NaN]],
		},
	},
	scaledProfile: {
		method: 'GET', path: '/profile/scaled', good: whole.scaledProfile(),
		faults: {
			state_id: [['stateId', null]],
			lens: [['lens', 'all']],
			begun_at_random: [['begunAtRandom', 0]],
			examples: [['examples', -1]],
			note: [['note', 7]],
			'directions.0.z': [['directions', [{...whole.scaledProfile().directions[0], z: '1'}]]],
			'directions.0.percentile': [['directions', [{...whole.scaledProfile().directions[0], percentile: 2}]]],
			'directions.0.quality': [['directions', [{...whole.scaledProfile().directions[0], quality: 1.5}]]],
			'directions.0.valence': [['directions', [{...whole.scaledProfile().directions[0], valence: -2}]]],
			'directions.0.word': [['directions', [{...whole.scaledProfile().directions[0], word: 'much'}]]],
		},
	},
	ledger: {
		method: 'GET', path: '/ledger', good: await whole.ledger(),
		faults: {
			by: [['by', 'colour']],
			value: [['value', '1']],
			'from.state_id': [['from', {stateId: null, timestamp: ''}]],
			half_life_cycles: [['halfLifeCycles', 'never']],
			'entries.0.share': [['entries', [{kind: 'push', key: 'push', texts: 0, share: 2, part: null}]]],
			'entries.0.kind': [['entries', [{kind: 'other', key: 'push', texts: 0, share: 1, part: null}]]],
		},
	},
	history: {
		method: 'GET', path: '/history', good: await whole.history(),
		faults: {cycles: [['cycles', -1]], 'points.0.net_mrad': [['points', [{...(await whole.history()).points[0], netMrad: null}]]]},
	},
	diff: {
		method: 'GET', path: '/diff', good: await whole.diff(),
		faults: {
			angle_mrad: [['angleMrad', -1]],
			words: [['words', [1]]],
			'directions.0.z_change': [['directions', [{...(await whole.diff()).directions[0], zChange: ''}]]],
			'sources.0.texts': [['sources', [{source: 'Ada', texts: 0, share: 1}]]],
		},
	},
	drift: {
		method: 'GET', path: '/drift', good: await whole.drift(),
		faults: {
			p: [['p', 2]],
			excess_mrad: [['excessMrad', -1]],
			validation: [['validation', {note: 'After a month.'}]],
			'stand_out.0.t': [['standOut', [{...(await whole.drift()).standOut[0], t: null}]]],
			'sources.0.share': [['sources', [{...(await whole.drift()).sources[0], share: '1'}]]],
			'path.0.distance': [['path', [{...(await whole.drift()).path[0], distance: null}]]],
			chart: [['chart', {...(await whole.drift()).chart, alarm: 1}]],
			sentence: [['sentence', null]],
		},
	},
	sources: {
		method: 'GET', path: '/sources', good: await whole.sources(),
		faults: {
			'sources.0.changed_p': [['sources', [{...(await whole.sources()).sources[0], changedP: -1}]]],
			'sources.0.conversations': [['sources', [{...(await whole.sources()).sources[0], conversations: -1}]]],
		},
	},
	uptake: {
		method: 'GET', path: '/uptake', good: await whole.uptake(),
		faults: {'sources.0.p': [['sources', [{...(await whole.uptake()).sources[0], p: -1}]]]},
	},
};

for (const [name, {method, path, body, good, faults}] of Object.entries(broken)) {
	for (const [place, values] of Object.entries(faults)) {
		for (const [field, value] of values) {
			test(`${method} ${path} with ${place} from ${JSON.stringify(value) ?? 'nothing'} is an error of the service`, async (t) => {
				const {ask} = await serve(t, fakeIdentity({[name]: () => ({...good, [field]: value})}));
				const answer = await ask(method, path, body);
				t.is(answer.status, 500);
				const {detail} = answer.body as {detail: string};
				t.true(detail.startsWith('The service\'s response does not match its own schema: '), detail);
				t.true(detail.includes(place), detail);
			});
		}
	}
}

test('responses are not checked without validateResponses', async (t) => {
	const {ask} = await serve(t, fakeIdentity({reset: async () => ({stateId: '0'})}), {validateResponses: false});
	t.deepEqual((await ask('POST', '/reset')).body, {status: 'ok', state_id: '0'});
});

test('the descriptions of fields with misleading names say what they measure', (t) => {
	const {
		cyclesSinceLastUser: cycles,
		timeSinceLastUserSeconds: time,
	} = DaemonStatus.properties as unknown as Record<string, {description: string}>;
	t.regex(cycles!.description, /^Despite its name, a total: .* all triggers but user/);
	t.regex(time!.description, /^Despite its name, the time since the last trigger of any kind/);
});
