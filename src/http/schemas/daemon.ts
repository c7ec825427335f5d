/** The schemas of the mode with its counters, and of the autonomous loop. */
import {knownTriggers} from '../../actors/trigger.ts';
import {either, flag, integer, nullable, nullableNumber, number, shape, text, timestamp, word} from '../../wire/builders.ts';

const triggerCount = (trigger: string) => integer(`Cycles triggered by ${trigger}.`, 3, {minimum: 0});

export const DaemonStatus = shape('DaemonStatus', 'The mode, the autonomous loop and the last trigger.', {
	mode: word('The mode.', ['idle', 'conversation', 'autonomous']),
	isRuminating: flag('Whether the last trigger was one of the autonomous loop’s.', false),
	daemonRunning: flag('Whether the autonomous loop runs.', false),
	lastTrigger: nullable('The last trigger; null when no cycle has run.', shape('LastTrigger', 'A trigger.', {
		type: text('What triggered the cycle.', 'user'),
		timestamp: timestamp('When; ISO 8601, UTC.'),
	})),
	cyclesBreakdown: shape('CyclesBreakdown', 'Cycles by known trigger.', Object.fromEntries(knownTriggers.map(trigger =>
		[trigger, triggerCount(trigger)])) as Record<(typeof knownTriggers)[number], ReturnType<typeof integer>>),
	cyclesSinceLastUser: integer('Despite its name, a total: the sum of the counters of all triggers but user. A cycle of a user does '
		+ 'not set it back, only a reset does.', 9, {minimum: 0}),
	timeSinceLastUserSeconds: nullableNumber('Despite its name, the time since the last trigger of any kind, the autonomous loop’s '
		+ 'included; null when there was none.', 12.5, {unit: 's', minimum: 0}),
});

const LoopConfig = shape('LoopConfig', 'How often the autonomous loop runs a cycle, and which texts it draws.', {
	cycleIntervalSeconds: number('Wait before each cycle.', 864, {unit: 's'}),
	probRuminationFree: number('Share of free rumination.', 0.5, {minimum: 0, maximum: 1}),
	probCorpus: number('Share of corpus themes.', 0.3, {minimum: 0, maximum: 1}),
	probUnresolved: number('Unresolved share, which becomes free rumination.', 0.2, {minimum: 0, maximum: 1}),
});

export const messages = {
	started: 'The autonomous loop has started.',
	alreadyRunning: 'The autonomous loop is running already.',
	stopped: 'The autonomous loop has stopped.',
	notRunning: 'The autonomous loop was not running.',
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
		message: message(messages.alreadyRunning),
	}),
]);

export const DaemonStopResponse = shape('DaemonStopResponse', 'The autonomous loop does not run.', {
	status: word('stopped if it was running, not_running otherwise.', ['stopped', 'not_running']),
	message: message(messages.stopped),
});
