/**
 * Converts the settings to the options of an identity, for the service and for the MCP server. Also the sources that the
 * identities of one service share.
 */
import type {IdentityOptions} from '../identity/options.ts';
import {Questions} from '../instruments/past/questions.ts';
import {selectKernel} from '../kernel/select.ts';
import {createJournalOf} from './open-journal.ts';
import {toGuardOptions, toJournalOptions, toLoopConfig, type Heard} from './options.ts';
import type {Settings} from './settings.ts';
import {encoderBy, type Encoder, type LoadedEncoder} from '../embedding/encoder.ts';
import type {Translator} from '../language/translator.ts';
import {orUndo} from '../platform/errors.ts';
import {mayFail} from '../sources/source.ts';
import type {OpenSources} from './open-sources.ts';

export const toIdentityOptions = (settings: Settings, heard: Heard = {}) => ({
	journal: async () => createJournalOf(settings, toJournalOptions(settings, heard)),
	loop: toLoopConfig(settings),
	guard: toGuardOptions(settings),
	maxPendingCycles: settings.QUEUE_LIMIT,
	maxPendingBytes: settings.QUEUE_BYTES,
	maxPendingTranslations: settings.TRANSLATE_LIMIT,
	questions: new Questions({maxRunning: settings.QUESTION_LIMIT, maxSeconds: settings.QUESTION_SECONDS}),
	kernel: selectKernel(settings.KERNEL),
} satisfies IdentityOptions);

/** Makes a value with the first call and returns it to all. After a failure, the next call tries again. */
const once = <Given, Value>(make: (given: Given) => Promise<Value>): ((given: Given) => Promise<Value>) => {
	let made: Promise<Value> | null = null;
	return async given => made ??= orUndo(async () => make(given), () => {
		made = null;
	});
};

/** The encoder without its disposal: it outlives each identity. */
const lend = (encoder: LoadedEncoder): Encoder => encoderBy(async (...given) => encoder.embedWithReport(...given), () => encoder);

/**
 * Sources that all identities of a service share: each is made when the first identity needs it. The caller disposes of the
 * encoder and closes the stores.
 */
export const lendSources = (
	{directions, authority, person, themes, translator, ...sources}: OpenSources['sources'], loading: Promise<LoadedEncoder>,
) => ({
	...sources,
	encoder: async () => lend(await loading),
	directions: mayFail(once(directions)),
	authority: once(authority),
	person: once(person),
	themes: once(themes),
	translator: mayFail(once(async (): Promise<Translator | null> => {
		const opened = await translator();
		return opened && {translate: async (request, signal) => opened.translate(request, signal)};
	})),
});
