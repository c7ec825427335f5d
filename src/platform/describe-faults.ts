/**
 * Says in plain English how a value differs from its TypeBox schema: for people who write
 * settings, data files and entries to import. The expected value of each place is derived from the schema.
 */
import {Value, type Static, type TSchema} from './typebox.ts';
import {cutText} from './plain-line.ts';
import {describeRange, type Range} from './ranges.ts';
import {hintAt} from './unknown-names.ts';

type Rules = Range & {
	/** What the value must be, in words, if the other keywords do not say it. */
	title?: string;
	type?: string;
	enum?: readonly string[];
	anyOf?: readonly Rules[];
	minLength?: number;
	maxLength?: number;
	pattern?: string;
	items?: Rules;
	minItems?: number;
	maxItems?: number;
	properties?: Record<string, Rules>;
	patternProperties?: Record<string, Rules>;
};

type Failure = {
	keyword: string;
	instancePath: string;
	message: string;
	params: {requiredProperties?: string[]; additionalProperties?: string[]};
};

/** A name may be a stranger's invention. */
const maxPlaceLength = 200;

/** The value of a JSON file. The decoder drops a byte order mark, with which some editors begin a file. @throws {SyntaxError} */
export const parseJsonFile = (bytes: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(bytes));

/** The value of a text in JSON; undefined if it is not JSON. */
export const valueOfJson = (text: string): unknown => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

/**
 * One phrase for each wrong place, such as `count must be a whole number from 0 to 65535, not "x"`;
 * empty for a value that matches. TypeBox reports the first eight errors.
 */
export const describeFaults = (schema: TSchema, value: unknown): string[] => {
	// A check takes a fraction of the time that a search for faults takes.
	if (Value.Check(schema, value)) {
		return [];
	}

	const byPlace = new Map<string, string>();
	for (const {keyword, instancePath, message, params} of Value.Errors(schema, value) as Iterable<Failure>) {
		const keys = Value.Pointer.Indices(instancePath);
		for (const missing of params.requiredProperties ?? []) {
			byPlace.set([...keys, missing].join('.'), 'is missing');
		}

		for (const extra of params.additionalProperties ?? []) {
			byPlace.set([...keys, extra].join('.'), `is not known${hintAt(extra, Object.keys(rulesAt(schema as Rules, keys).properties ?? {}))}`);
		}

		// A union fails once for each of its members and once as a whole.
		const place = keys.join('.');
		if (keyword !== 'required' && keyword !== 'additionalProperties' && !byPlace.has(place)) {
			const rules = rulesAt(schema as Rules, keys);
			byPlace.set(place, keyword === '~refine' ? message : `must be ${describeRules(rules)}, not `
				+ `${excerpt(Value.Pointer.Get(value, instancePath))}`);
		}
	}

	return Array.from(byPlace, ([place, fault]) => `${cutText(place, maxPlaceLength) || 'it'} ${fault}`);
};

/** The value as its schema's type. @throws {TypeError} with the first fault. */
export const requireMatch = <Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> => {
	const [fault] = describeFaults(schema, value);
	if (fault !== undefined) {
		throw new TypeError(fault);
	}

	return value as Static<Schema>;
};

const rulesAt = (schema: Rules, keys: readonly string[]): Rules => keys.reduce<Rules>(
	(rules, key) => rules.properties?.[key] ?? Object.values(rules.patternProperties ?? {})[0] ?? rules.items ?? {},
	schema,
);

const describeRules = ({title, type, enum: words, anyOf, ...rules}: Rules): string => {
	if (title !== undefined) {
		return title;
	}

	if (words || anyOf) {
		return words ? `one of ${words.join(', ')}` : anyOf!.map(describeRules).join(' or ');
	}

	if (type === 'array') {
		return `a list${describeLength(rules)} ${nouns[rules.items?.type ?? ''] ?? 'entries'}`;
	}

	if (type === 'integer' || type === 'number') {
		return `a ${type === 'integer' ? 'whole number' : 'number'}${describeRange(rules, least => ` of at least ${least}`)}`;
	}

	const length = rules.maxLength === undefined ? '' : ` of at most ${rules.maxLength} characters`;
	return simple[type ?? ''] ?? `a text${length}${rules.minLength !== undefined || rules.pattern !== undefined ? ' that is not blank' : ''}`;
};

const simple: Record<string, string> = {boolean: 'true or false', object: 'an object', null: 'null'};

const nouns: Record<string, string> = {number: 'numbers', string: 'texts', object: 'objects'};

const describeLength = ({minItems, maxItems}: Rules): string => {
	if (minItems === undefined) {
		return ' of';
	}

	return minItems === maxItems ? ` of ${minItems}` : ` of at least ${minItems}`;
};

const excerpt = (value: unknown): string => {
	if (Array.isArray(value)) {
		return `a list of ${value.length}`;
	}

	const text = typeof value === 'object' && value !== null ? 'an object' : JSON.stringify(value) ?? 'nothing';
	return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};
