/** The configured directions, for a command that needs no model: it is loaded where a vector is missing. */
import {requireSameModel} from '../actors/boot-steps.ts';
import {passportOf, type Encoder, type LoadedEncoder, type ModelPassport} from '../embedding/encoder.ts';
import type {Direction} from '../semiosis/profile.ts';
import {warnToConsole} from '../platform/warn.ts';
import {loadModel} from './load-model.ts';
import {openSources} from './open-sources.ts';
import type {Settings} from './settings.ts';

/**
 * Reads the directions of a journal's model.
 *
 * @throws {ConfigurationError} where a vector is missing, and the configured model is not the journal's
 */
export const readDirections = async (settings: Settings, passport: ModelPassport, isTerminal: boolean): Promise<Direction[]> => {
	let loading: Promise<LoadedEncoder> | undefined;
	const load = async (): Promise<LoadedEncoder> => {
		const encoder = await loadModel(settings, isTerminal);
		requireSameModel(passport, passportOf(encoder));
		return encoder;
	};

	const encoder: Encoder = {passport, embed: async (text, signal) => (await (loading ??= load())).embed(text, signal)};
	const {sources: {directions}, close} = await openSources(settings);
	try {
		return await directions({encoder, signal: new AbortController().signal, warn: warnToConsole});
	} finally {
		await Promise.allSettled([loading?.then(async loaded => loaded.dispose()), close()]);
	}
};
