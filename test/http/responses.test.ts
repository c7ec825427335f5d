/**
 * The successful response of every endpoint: exactly the fields of `docs/spec/interface.md`.
 */
import test from 'ava';
import {dimensions} from '../../src/kernel/dimensions.ts';
import {fakeIdentity} from './fake-identity.ts';
import {serve} from './service.ts';

const answers = (
	name: string,
	method: string,
	path: string,
	expected: unknown,
	instead: Parameters<typeof fakeIdentity>[0] = {},
	body?: unknown,
) => {
	test(`${method} ${path} answers ${name}`, async (t) => {
		const {ask} = await serve(t, fakeIdentity(instead));
		const answer = await ask(method, path, body);
		t.is(answer.status, 200);
		t.deepEqual(answer.body, expected);
		t.is(answer.headers.get('content-type'), 'application/json; charset=utf-8');
	});
};

answers('that the service is alive', 'GET', '/health', {
	status: 'ok', version: '0.7.0', uptime_seconds: 1.5, state_id: 7, embedding_model: 'some/model',
});
answers('with state_id -1 before there is a state', 'GET', '/health', {
	status: 'ok', version: '0.7.0', uptime_seconds: 0, state_id: -1, embedding_model: 'some/model',
}, {health: () => ({uptimeSeconds: 0, stateId: -1, embeddingModel: 'some/model'})});

answers('with the outcome of the cycle', 'POST', '/cycle', {
	state_id: 8, delta_magnitude: 0.001, dissonance_total: 0.25, is_choc: true, dimensions_affected: ['thirdness'], processing_time_ms: 12.5,
}, {}, {content: 'a text'});

answers('with the state in words', 'POST', '/translate', {
	text: 'I am calm.', projections: {'affective.calm': 0.5}, reasoning_detected: false, faithfulness: 0.5,
}, {}, {});

answers('with ten floats of each of the eight dimensions', 'GET', '/state', {
	state_id: 7,
	timestamp: '2026-01-31T12:00:00.000Z',
	dimensions: Object.fromEntries(
		dimensions.map((name, row) => [name, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((column) => (row - column) / 16)]),
	),
});

answers('with level, drift and the dimensions that drift most', 'GET', '/vigilance', {
	level: 'warning', cumulative_drift: 0.003, top_drifting_dimensions: ['valeurs', 'firstness', 'thirdness'], message: 'Drifting.',
});
answers('with message null when there is nothing to say', 'GET', '/vigilance', {
	level: 'ok', cumulative_drift: 0, top_drifting_dimensions: [], message: null,
}, {vigilance: () => ({level: 'ok', cumulativeDrift: 0, topDriftingDimensions: [], message: null})});

answers('with counts and alerts', 'GET', '/metrics', {
	status: 'warning', uptime_hours: 0.5, total_cycles: 3, cycles_last_hour: 2, alerts: {critical: 0, warning: 1},
});

answers('with the restored state', 'POST', '/reset', {status: 'ok', state_id: 0});

answers('with mode, counters and last trigger', 'GET', '/daemon/status', {
	mode: 'conversation',
	is_ruminating: false,
	daemon_running: true,
	last_trigger: {type: 'user', timestamp: '2026-01-31T12:00:00.000Z'},
	cycles_breakdown: {user: 1, veille: 2, corpus: 3, rumination_free: 4},
	cycles_since_last_user: 9,
	time_since_last_user_seconds: 2.5,
});
answers('with nulls before the first cycle', 'GET', '/daemon/status', {
	mode: 'idle',
	is_ruminating: false,
	daemon_running: false,
	last_trigger: null,
	cycles_breakdown: {user: 0, veille: 0, corpus: 0, rumination_free: 0},
	cycles_since_last_user: 0,
	time_since_last_user_seconds: null,
}, {
	'daemon.status': () => ({
		mode: 'idle',
		isRuminating: false,
		daemonRunning: false,
		lastTrigger: null,
		cyclesBreakdown: {user: 0, veille: 0, corpus: 0, rumination_free: 0},
		cyclesSinceLastUser: 0,
		timeSinceLastUserSeconds: null,
	}),
});

answers('with the loop’s configuration when it starts', 'POST', '/daemon/start', {
	status: 'started',
	message: 'The autonomous loop has started.',
	config: {cycle_interval_seconds: 864, prob_rumination_free: 0.5, prob_corpus: 0.3, prob_unresolved: 0.2},
});
answers('already_running when the loop runs', 'POST', '/daemon/start', {
	status: 'already_running', message: 'The autonomous loop is running already.',
}, {'daemon.start': () => ({started: false, config: {}})});

answers('stopped when the loop was running', 'POST', '/daemon/stop', {
	status: 'stopped', message: 'The autonomous loop has stopped.',
});
answers('not_running when it was not', 'POST', '/daemon/stop', {
	status: 'not_running', message: 'The autonomous loop was not running.',
}, {'daemon.stop': () => ({stopped: false})});

answers('with both profiles', 'GET', '/profile', {
	state_id: 7,
	directions_count: 1,
	profile: {affective: {calm: {value: -0.0123, dimension: 'dispositions', pole_positive: 'calm', pole_negative: 'agitated'}}},
	reference_profile: {affective: {calm: {value: 0.5, dimension: 'dispositions', pole_positive: 'calm', pole_negative: 'agitated'}}},
	reference_similarity: 0.9987,
});

answers('with units and z', 'GET', '/profile/scaled', {
	state_id: 7,
	lens: 'own',
	begun_at_random: true,
	examples: 2100,
	note: null,
	tone: null,
	directions: [{
		key: 'affective.calm', category: 'affective', name: 'calm', dimension: 'dispositions', moves: false,
		pole_positive: 'calm', pole_negative: 'agitated',
		value: -0.0123, z: -1.2345, percentile: 0.11, quality: 0.9375, valence: -0.25, word: 'leaning', stands_out: true, pole: 'agitated',
	}],
});

answers('with the parts of the present state', 'GET', '/ledger', {
	state_id: 7,
	by: 'text',
	direction: 'affective.calm',
	value: 0.25,
	cycles: 7,
	beginning_left: 0.9,
	half_life_cycles: null,
	note: null,
	from: {state_id: 5, timestamp: '2026-01-30T12:00:00.000Z'},
	entries: [
		{kind: 'beginning', key: 'beginning', texts: 0, share: 0.75, part: 0.125},
		{
			kind: 'text',
			key: 'a cycle',
			texts: 1,
			share: 0.25,
			part: 0.125,
			timestamp: '2026-01-30T12:00:00.000Z',
			source: 'Ada',
			trigger: 'user',
			content: 'The sea.',
		},
	],
});

answers('with a point for each state', 'GET', '/history', {
	from: {state_id: 5, timestamp: '2026-01-30T12:00:00.000Z'},
	to: {state_id: 5, timestamp: '2026-01-30T12:00:00.000Z'},
	direction: 'affective.calm',
	cycles: 7,
	points: [{
		state_id: 5, timestamp: '2026-01-30T12:00:00.000Z', net_mrad: 1.5, path_mrad: 2.5, beginning_left: 0.9, push: 0.1,
		dissonance: 1, dissonance_percentile: null,
		id: 'a cycle', source: 'Ada', content: 'The sea.', value: 0.25, z: null, chart: [{span: 8, reading: 1.5, limit: 2}],
	}],
});

answers('with what differs, and why', 'GET', '/diff', {
	cycles: 7,
	angle_mrad: 1.5,
	push_share: 0.25,
	note: null,
	words: ['7 texts turned it.'],
	from: {state_id: 5, timestamp: '2026-01-30T12:00:00.000Z'},
	to: {state_id: 5, timestamp: '2026-01-30T12:00:00.000Z'},
	directions: [{key: 'affective.calm', pole_positive: 'calm', pole_negative: 'agitated', from: 0.25, to: 0.5, change: 0.25, z_change: 1.5}],
	texts: [{id: 'a cycle', timestamp: '2026-01-30T12:00:00.000Z', source: 'Ada', trigger: 'user', content: 'The sea.', share: 0.5}],
	sources: [{source: 'Ada', texts: 7, share: 0.5}],
});

const timestamp = '2026-01-30T12:00:00.000Z';
const voice = {
	distance: 2.5,
	p: 0.01,
	p_now: 0.005,
	found_at: 320,
	limit: 1.5,
	unread: {share: 0.125, p_without: 0.005},
	stand_out: [{key: 'affective.calm', pole: 'calm', pole_positive: 'calm', pole_negative: 'agitated', t: 0.25, typical_t: 0.125, p: 0.005}],
	path: [{texts: 100, timestamp, distance: 1.25, p: 0.5}],
	chart: {
		conversations: 2,
		readings: [{span: 8, reading: 1.5, limit: 2}],
		average_run_length: 1000,
		alarm: false,
		since: {id: 'a cycle', source: 'Ada', timestamp},
		blame: [{source: 'Ada', share: 1, texts: 2, ids: ['a cycle', 'another']}],
		unread_share: 0.125,
		moved: {alike: 1, sources: 2},
	},
};

answers('with the distance moved, and the probability that chance explains it', 'GET', '/drift', {
	state_id: 9,
	since: {state_id: 5, timestamp},
	validation: {
		id: 'a validation', timestamp, note: 'After a month.', state_id: 5, texts: 600, heard: 400, conversations: 131, ids: 'used',
		alike: {r: 0.125, p: 0.4}, stationary_p: 0.5,
	},
	cycles: 4,
	net_mrad: 2.5,
	excess_mrad: 1.25,
	...voice,
	moved: {alike: 1, sources: 2},
	horizon: 4000,
	expired: false,
	sources: [{source: 'Ada', texts: 4, text_share: 1, weight_share: 1, share: 1, push: 0.25, p: 0.005}],
	p_without_top_source: 0.5,
	said: voice,
	sentence: 'Since 30 January it moved 3 mrad.',
	note: null,
});

answers('with the share of each source', 'GET', '/sources', {
	state_id: 9,
	since: {state_id: 5, timestamp},
	sources: [{
		source: 'Ada', texts: 4, text_share: 1, weight_share: 1, share: 1, push: 0.25, p: 0.005, conversations: 2, coherence: 0.25,
		changed_p: null, changed_now: null, uptake_p: null, echoes: 0,
	}],
	moved: null,
	note: null,
});

answers('with the sources whose way of talking it took up', 'GET', '/uptake', {
	state_id: 9,
	since: {state_id: 5, timestamp},
	sources: [{
		source: 'Ada', texts: 40, since: timestamp, effect: 0.3, p: 0.01, p_now: 0.001,
		shown_by: [{id: 'a text', timestamp, content: 'It is quiet.'}],
	}],
	sentence: 'It speaks more like Ada.',
	note: null,
});

/** Without compression, the length is that of the text. */
const plain = {'accept-encoding': 'identity'};

for (const path of [
	'/health', '/state', '/vigilance', '/metrics', '/daemon/status', '/profile', '/profile/scaled', '/ledger',
	'/history', '/diff', '/drift', '/sources', '/uptake', '/openapi.json',
]) {
	test(`HEAD ${path} has the Content-Length of GET and no body`, async (t) => {
		const {ask} = await serve(t, fakeIdentity());
		const [head, get] = [await ask('HEAD', path, undefined, plain), await ask('GET', path, undefined, plain)];
		t.is(head.status, 200);
		t.is(head.text, '');
		t.is(head.headers.get('content-length'), String(Buffer.byteLength(get.text)));
	});
}
