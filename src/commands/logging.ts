/** Log lines: JSON for machines, words in colour for a person at a terminal; and what the process tells, as lines. */
import {pino, type Logger} from 'pino';
import type {RunningProcess} from '../identity/create-identity.ts';
import type {TokenReport} from '../embedding/encoder.ts';
import {reasonOf} from '../errors.ts';

export const createLogger = async (level: string, terminal: boolean): Promise<Logger> => terminal
	? pino({level}, (await import('pino-pretty')).default({sync: true, ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l', hideObject: true}))
	: pino({level, timestamp: pino.stdTimeFunctions.isoTime});

/** Logs a process's startup steps with their times and warnings, its cycles, and their failures. Never a content. */
export const logProcess = ({actor}: RunningProcess, logger: Logger): void => {
	actor.on('boot.step', ({report: {step, milliseconds, warnings}}) => {
		logger.info({step, milliseconds: Math.round(milliseconds * 10) / 10}, `${step}: ${milliseconds.toFixed(1)} ms`);
		for (const warning of warnings) {
			logger.warn({step}, warning);
		}
	});
	actor.on('cycle.done', ({id, trigger, origin, result, tokenReport}) => {
		logger.debug({id, trigger, origin, ...result, ...tokenReport}, 'cycle done');
		const warning = warningOf(tokenReport);
		if (warning !== null) {
			logger.warn({id, trigger, origin, ...tokenReport}, warning);
		}
	});
	actor.on('cycle.failed', ({id, trigger, origin, error}) => {
		logger.error({id, trigger, origin, err: error}, `cycle failed: ${reasonOf(error)}`);
	});
	actor.on('reset.done', ({stateId}) => {
		logger.info({stateId}, 'state restored to its beginning');
	});
};

/** What a text's reader should know; null where the model has read it well, as far as that is known. */
const warningOf = ({tokens, isTruncated = false, unknownShare = 0}: TokenReport): string | null => {
	const faults = [
		isTruncated && `its end was cut off${tokens === undefined ? '' : ` after ${tokens} tokens`}`,
		unknownShare > 0.5 && `${Math.round(unknownShare * 100)} % of it is not in the model's vocabulary`,
	].filter(fault => fault !== false);
	return faults.length > 0 ? `the embedding model could not read a whole text: ${faults.join(', and ')}` : null;
};
