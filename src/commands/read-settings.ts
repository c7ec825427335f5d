/** Reads the settings from the command line, the environment and `.env`, and checks them. */
import {readFileSync} from 'node:fs';
import {parseEnv} from 'node:util';
import {Value} from '../platform/typebox.ts';
import {areWhole} from '../actors/loop.ts';
import {describeFaults} from '../platform/describe-faults.ts';
import {ConfigurationError, reasonOf, withErrors} from '../platform/errors.ts';
import {ifExists} from '../platform/files/folders.ts';
import {nearestName} from '../platform/unknown-names.ts';
import {Settings} from './settings.ts';

/**
 * Reads the settings. The command line has priority over the environment, then `.env`, then the
 * default. An empty value counts as absent. Both DATA_DIR and PROCESSUAL_URL say which identity is meant: a folder on the
 * command line has priority over an address that is not.
 *
 * @param given Values from the command line, by the setting's name.
 * @param usual The command's defaults, which override the schema's.
 * @throws {ConfigurationError} naming each wrong setting.
 */
export const readSettings = (
	given: Record<string, unknown>, environment: NodeJS.ProcessEnv, dotenv: string | false = '.env', usual: Partial<Settings> = {},
): Settings => {
	// Many systems set LANGUAGE for GNU gettext: a list of locales in order of preference, such as `en_US:en`. That one is not ours.
	const ours = /[_:]/.test(environment.LANGUAGE ?? '') ? {...environment, LANGUAGE: ''} : environment;
	const options = withoutEmpty(given);
	const set = withoutEmpty({
		...withoutEmpty(parseEnv(textOf(dotenv))), ...withoutEmpty(ours), ...('DATA_DIR' in options && {PROCESSUAL_URL: ''}), ...options,
	});
	const written: Record<string, unknown> = {...usual, ...set};
	const settings = Value.Default(Settings, Object.fromEntries(
		Object.entries(Settings.properties)
			.filter(([name]) => name in written)
			.map(([name, schema]) => [name, parseValue(schema as Written, written[name])]),
	));
	if (!Value.Check(Settings, settings)) {
		throw wrong(describeFaults(Settings, settings).join('. '));
	}

	const shares = [settings.PROB_RUMINATION_FREE, settings.PROB_CORPUS, settings.PROB_UNRESOLVED];
	if (!areWhole(shares)) {
		throw wrong('PROB_RUMINATION_FREE, PROB_CORPUS and PROB_UNRESOLVED must sum to 1, not to '
			+ `${Number(shares.reduce((sum, share) => sum + share).toFixed(9))}`);
	}

	if (settings.PEER_TOKEN !== undefined && [settings.AUTH_TOKEN, settings.SELF_TOKEN].includes(settings.PEER_TOKEN)) {
		throw wrong('PEER_TOKEN must differ from AUTH_TOKEN and SELF_TOKEN: otherwise every client could pass for a node');
	}

	if (settings.SELF_TOKEN !== undefined && [undefined, settings.SELF_TOKEN].includes(settings.AUTH_TOKEN)) {
		throw wrong('SELF_TOKEN needs an AUTH_TOKEN that differs from it: otherwise every client could speak as the agent');
	}

	const {pathname = '/', search = '', hash = ''} = settings.ADVERTISED_URL === undefined ? {} : new URL(settings.ADVERTISED_URL);
	if (pathname !== '/' || search !== '' || hash !== '') {
		throw wrong('ADVERTISED_URL must be an address without a path: requests keep the path that the client asked for');
	}

	return settings;
};

const wrong = (faults: string) => new ConfigurationError(`The settings are wrong: ${faults}. See processual serve --help --all.`);

/**
 * How many letters a name needs per typing error to count as a misspelt setting. The environment has other programs' names
 * too, so a short name must match more closely.
 */
const lettersPerSlip = 5;

/** A sentence for each name in the environment or in `.env` that is probably meant as a setting but has no effect. */
export const findWithoutEffect = (environment: NodeJS.ProcessEnv, dotenv: string | false = '.env'): string[] => {
	const known = Object.keys(Settings.properties);
	const text = textOf(dotenv);
	const written = parseEnv(text);
	const begun = new Set([...text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)/gm)].map(([, name]) => name));
	const bare = known.filter(name => begun.has(name) && !Object.hasOwn(written, name));
	const resembling = Object.keys(withoutEmpty({...written, ...environment})).filter(name => !known.includes(name)).flatMap(name => {
		// Each letter of difference in length is an error. Comparing with all names would take half as long as a command's start.
		const slips = Math.max(1, name.length / lettersPerSlip);
		const nearest = nearestName(name, known.filter(({length}) => Math.abs(length - name.length) <= slips), lettersPerSlip);
		return nearest === null ? [] : [`${name} is not a setting and has no effect; the closest setting is ${nearest}.`];
	});
	return [
		...bare.map(name => `${name} is in ${String(dotenv)} on a line without “=”, which has no effect; write ${name}=….`), ...resembling,
	];
};

const withoutEmpty = (source: NodeJS.Dict<unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(source).filter(([, value]) => value !== '' && value !== undefined));

/**
 * @returns an empty text if there is no such file
 * @throws {ConfigurationError} if the file exists and cannot be read
 */
const textOf = (file: string | false): string => withErrors(
	() => file === false ? '' : ifExists(() => readFileSync(file, 'utf8')) ?? '',
	error => new ConfigurationError(
		`The settings in ${file} cannot be read: ${reasonOf(error)}. Correct the file or remove it.`, {cause: error},
	),
);

/** Excludes `Infinity`, `0x10` and blanks, which `Number` accepts. */
const decimal = /^\s*[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?\s*$/i;

/** How a setting's schema says to parse it: its type, and words that stand for a value. */
type Written = {type?: string; words?: Readonly<Record<string, unknown>>};

/** Parses a text as its setting's type. A text that does not fit stays a text, which the check then rejects. */
const parseValue = ({type, words = {}}: Written, written: unknown): unknown => {
	const text = String(written);
	if (Object.hasOwn(words, text)) {
		return words[text];
	}

	if (type === 'boolean' && (text === 'true' || text === 'false')) {
		return text === 'true';
	}

	const isDecimal = (type === 'number' || type === 'integer') && decimal.test(text) && Number.isFinite(Number(text));
	return isDecimal ? Number(text) : written;
};
