/** `/daemon/…`: the mode with its counters, and the autonomous loop. */
import {knownTriggers} from '../../actors/trigger.ts';
import {toSnakeCase} from '../../wire/snake-case.ts';
import {errorResponses} from './error-schemas.ts';
import {route} from './route.ts';
import {either, flag, integer, nullable, nullableNumber, number, shape, text, timestamp, word} from './schema-builders.ts';

const triggerCount = (trigger: string) => integer(`Cycles triggered by ${trigger}.`, 3, {minimum: 0});

export const DaemonStatus = shape('DaemonStatus', 'The mode, the autonomous loop and the last trigger.', {
	mode: word('The mode.', ['idle', 'conversation', 'autonomous']),
	is_ruminating: flag('Whether the last trigger was one of the autonomous loop’s.', false),
	daemon_running: flag('Whether the autonomous loop runs.', false),
	last_trigger: nullable('The last trigger; null when no cycle has run.', shape('LastTrigger', 'A trigger.', {
		type: text('What triggered the cycle.', 'user'),
		timestamp: timestamp('When; ISO 8601, UTC.'),
	})),
	cycles_breakdown: shape('CyclesBreakdown', 'Cycles by known trigger.', Object.fromEntries(knownTriggers.map(trigger =>
		[trigger, triggerCount(trigger)])) as Record<(typeof knownTriggers)[number], ReturnType<typeof integer>>),
	cycles_since_last_user: integer('Despite its name, a total: the sum of the counters of all triggers but user. A cycle of a user does not set it back, only a reset does.', 9, {minimum: 0}),
	time_since_last_user_seconds: nullableNumber('Despite its name, the time since the last trigger of any kind, the autonomous loop’s included; null when there was none.', 12.5, {unit: 's', minimum: 0}),
});

const LoopConfig = shape('LoopConfig', 'How often the autonomous loop runs a cycle, and which texts it draws.', {
	cycle_interval_seconds: number('Wait before each cycle.', 864, {unit: 's'}),
	prob_rumination_free: number('Share of free rumination.', 0.5, {minimum: 0, maximum: 1}),
	prob_corpus: number('Share of corpus themes.', 0.3, {minimum: 0, maximum: 1}),
	prob_unresolved: number('Unresolved share, which becomes free rumination.', 0.2, {minimum: 0, maximum: 1}),
});

const messages = {
	started: 'The autonomous loop has started.',
	already_running: 'The autonomous loop is running already.',
	stopped: 'The autonomous loop has stopped.',
	not_running: 'The autonomous loop was not running.',
};

const message = (example: string) => text('What happened, for a reader.', example);

export const DaemonStartResponse = either('DaemonStartResponse', 'The autonomous loop runs.', [
	shape('DaemonStarted', 'The loop was started.', {
		status: word('Started by this request.', ['started']),
		message: message(messages.started),
		config: LoopConfig,
	}),
	shape('DaemonAlreadyRunning', 'The loop was running already; no second one starts.', {
		status: word('Running before this request.', ['already_running']),
		message: message(messages.already_running),
	}),
]);

export const DaemonStopResponse = shape('DaemonStopResponse', 'The autonomous loop does not run.', {
	status: word('stopped if it was running, not_running otherwise.', ['stopped', 'not_running']),
	message: message(messages.stopped),
});

export const daemonStatus = route({
	method: 'GET',
	path: '/daemon/status',
	summary: 'Mode, counters and last trigger',
	description: 'Whether the mode is idle, conversation or autonomous, and which triggers led to it.',
	responses: {200: DaemonStatus, ...errorResponses(503)},
	handle: async identity => toSnakeCase(await identity.daemon.status()),
});

export const daemonStart = route({
	method: 'POST',
	path: '/daemon/start',
	summary: 'Start the autonomous loop',
	description: 'Starts the loop unless it runs already; a second one never starts.',
	responses: {200: DaemonStartResponse, ...errorResponses(503)},
	async handle(identity) {
		const {started, config} = await identity.daemon.start();
		return started && config
			? {status: 'started' as const, message: messages.started, config: toSnakeCase(config)}
			: {status: 'already_running' as const, message: messages.already_running};
	},
});

export const daemonStop = route({
	method: 'POST',
	path: '/daemon/stop',
	summary: 'Stop the autonomous loop',
	description: 'Stops the loop and cancels the cycle it is in; the mode becomes idle.',
	responses: {200: DaemonStopResponse, ...errorResponses(503)},
	async handle(identity) {
		const status = (await identity.daemon.stop()).stopped ? 'stopped' : 'not_running';
		return {status, message: messages[status]} as const;
	},
});
