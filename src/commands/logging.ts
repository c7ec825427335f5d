/** Log lines: coloured text at a terminal, JSON elsewhere. Also logs the events of an identity. */
import {styleText} from 'node:util';
import {pino, type DestinationStream, type Logger} from 'pino';
import type {LocalIdentity} from '../identity/identity.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import {reasonOf, type Warn} from '../platform/errors.ts';

/** Each level's name and colour at a terminal. */
const shownLevels: Readonly<Record<number, [name: string, colour: 'red' | 'yellow' | 'green' | 'blue' | 'gray']>> = {
	60: ['FATAL', 'red'], 50: ['ERROR', 'red'], 40: ['WARN', 'yellow'], 30: ['INFO', 'green'], 20: ['DEBUG', 'blue'], 10: ['TRACE', 'gray'],
};

/** The time of day with milliseconds. */
const formatTime = (time: number): string => {
	const date = new Date(time);
	return `${date.toTimeString().slice(0, 8)}.${String(date.getMilliseconds()).padStart(3, '0')}`;
};

/** Writes the time of day, the level and the message. The other fields are only in the JSON, for programs. */
const toLines = (terminal: NodeJS.WriteStream): DestinationStream => ({
	write(line) {
		const {time, level, msg} = JSON.parse(line) as {time: number; level: number; msg: string};
		const [name, colour] = shownLevels[level]!;
		terminal.write(`[${formatTime(time)}] ${styleText(colour, name, {stream: terminal})}: ${styleText('cyan', msg, {stream: terminal})}\n`);
	},
});

/** @param stream 1 for standard output, 2 for standard error. */
export const createLogger = (level: string, isTerminal: boolean, stream: 1 | 2 = 1): Logger => isTerminal
	? pino({level}, toLines(stream === 1 ? process.stdout : process.stderr))
	: pino({level, timestamp: pino.stdTimeFunctions.isoTime}, toStream(stream));

/** Maximum bytes buffered while the log cannot be written; further lines are dropped. */
const maxWaiting = 2 ** 20;

/** Buffers lines while the disk is full. The service keeps working, and can be stopped. */
const toStream = (stream: 1 | 2): DestinationStream => {
	const destination = pino.destination({dest: stream, maxLength: maxWaiting});
	const flush = destination.flushSync.bind(destination);
	destination.on('error', () => {
		// At the end of the process, it would retry for ever.
		destination.flushSync = () => {};
	});
	destination.on('write', () => {
		destination.flushSync = flush;
	});
	return destination;
};

/**
 * Logs an identity's warnings.
 *
 * @param isMain Whether to show warnings at its start that are not errors: among many identities, most start often.
 */
export const warnIn = (logger: Logger, isMain = true): Warn => (message, error) => {
	logger[isMain || error !== undefined ? 'warn' : 'debug'](error === undefined ? {} : {err: error}, message);
};

/** Logs the boot's steps with their durations, cycles, alerts and failures. No line contains a text. */
export const logIdentity = ({actor}: LocalIdentity, logger: Logger): void => {
	actor.on('boot.step', ({report: {step, milliseconds}}) => {
		logger.debug({step, milliseconds: Math.round(milliseconds * 10) / 10}, `${step}: ${milliseconds.toFixed(1)} ms`);
	});
	actor.on('cycle.done', ({id, trigger, origin, result, tokenReport}) => {
		logger.debug({id, trigger, origin, ...result, ...tokenReport}, 'cycle done');
		const warning = describeLoss(tokenReport);
		if (warning !== null) {
			logger.warn({id, trigger, origin, ...tokenReport}, warning);
		}
	});
	actor.on('cycle.held', ({id, trigger, origin, result}) => logger.info({id, trigger, origin, ...result}, 'text held back'));
	actor.on('cycle.failed', ({id, trigger, origin, error}) => {
		logger.error({id, trigger, origin, err: error}, `cycle failed: ${reasonOf(error)}`);
	});
	actor.on('drift.alarm', ({voice, span, reading, limit, conversation: {ids}}) => {
		logger.warn({voice, span, reading, limit, ids}, `drift alarm: the texts ${voice} recently differ from the baseline by more `
			+ `than chance (${reading.toFixed(2)}, limit ${limit.toFixed(2)}, over ${span} conversations); GET /drift shows the cause`);
	});
	actor.on('source.noticed', ({share, p, driftP}) => {
		logger.warn({share, p, driftP}, 'the drift is unusual, and one source pushes it more than any one source does by chance; '
			+ 'GET /sources shows which');
	});
	actor.on('source.changed', ({p}) => logger.warn({p}, 'a source talks differently than in the baseline; GET /sources shows which'));
	actor.on('source.taken_up', ({p, effect, since}) => {
		logger.warn({p, effect, since}, 'the identity speaks more like a source in conversations without it; GET /uptake shows which, and '
			+ 'the texts');
	});
	actor.on('echo.noticed', ({id, cosine, threshold, own}) => {
		logger.info({id, cosine, threshold, own: own.id}, 'a text is nearly one of the identity\'s own outputs');
	});
	actor.on('reset.done', ({stateId}) => logger.info({stateId}, 'state reset to the initial state'));
};

/** Null if the model read the whole text, as far as known. */
const describeLoss = ({tokens, isTruncated = false, unknownShare = 0}: TokenReport): string | null => {
	const faults = [
		isTruncated && `its end was cut off${tokens === undefined ? '' : ` after ${tokens} tokens`}`,
		unknownShare > 0.5 && `${Math.round(unknownShare * 100)} % of it is not in the model's vocabulary`,
	].filter(fault => fault !== false);
	return faults.length > 0 ? `the embedding model did not read a whole text: ${faults.join(', and ')}` : null;
};
