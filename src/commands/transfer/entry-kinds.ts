/**
 * The kinds of entries that can be brought in: the fields of each, and what becomes of one. An
 * entry with a vector is an item at once; one without names the texts that must be embedded.
 */
import {Type, type Static, type TObject, type TSchema} from 'typebox';
import {Value} from 'typebox/value';
import {contrast} from '../../semiosis/contrast.ts';
import {maxInitialStateId} from '../../semiosis/fixation.ts';
import type {Message} from '../../sources/message-file.ts';
import type {StoredDirection, StoredState, StoredThought} from '../../store/store.ts';
import {dimensions, width} from '../../tensor/dimensions.ts';

export type Item =
	| {kind: 'state'; item: StoredState}
	| {kind: 'thought'; item: StoredThought}
	| {kind: 'direction'; item: StoredDirection}
	| {kind: 'message'; item: Message};

export type Kind = Item['kind'];

/** What is left to do for an entry: embed its texts, if it has any, and make the item. `model` is that of the vectors. */
export type Draft = {texts: readonly string[]; make: (vectors: readonly Float32Array[], model: string | null) => Item};

// A description says what a field must be, where it is not.
const Name = Type.String({minLength: 1, description: 'a text'});
const Text = Type.String({pattern: String.raw`\S`, description: 'a text that is not blank'});
const MaybeText = Type.Optional(Type.Union([Type.String(), Type.Null()], {description: 'a text or null'}));
const Vector = Type.Array(Type.Number(), {minItems: width, maxItems: width, description: `a list of ${width} numbers`});
const time = 'a time in ISO 8601, such as 2026-03-01T10:00:00Z';
const Time = Type.String({pattern: String.raw`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d`, description: time});

const State = Type.Object({
	state_id: Type.Integer({minimum: 0, maximum: maxInitialStateId, description: `a whole number from 0 to ${maxInitialStateId}`}),
	timestamp: Time,
	model: MaybeText,
	content: Type.Optional(Text),
	vector: Type.Optional(Vector),
	dimensions: Type.Optional(Type.Object(Object.fromEntries(dimensions.map(name => [name, Vector])), {description: `an object of ${dimensions.length} lists of ${width} numbers: ${dimensions.join(', ')}`})),
});

const Thought = Type.Object({
	thought_type: MaybeText,
	content: Type.Optional(Type.Union([Text, Type.Null()], {description: 'a text that is not blank, or null'})),
	model: MaybeText,
	vector: Type.Optional(Vector),
});

const Examples = Type.Array(Text, {minItems: 1, description: 'a list of texts'});

const Direction = Type.Object({
	category: Name,
	name: Name,
	pole_positive: Name,
	pole_negative: Name,
	model: MaybeText,
	vector: Type.Optional(Vector),
	positive: Type.Optional(Examples),
	negative: Type.Optional(Examples),
});

const MessageEntry = Type.Object({
	conversation: Name,
	title: MaybeText,
	deleted: Type.Optional(Type.Boolean({description: 'true or false'})),
	role: Name,
	content: Type.String({description: 'a text'}),
	created: Type.Union([Time, Type.Number()], {description: `${time}, or a number that grows with time`}),
});

const kinds = {
	state: kind(State, ({state_id: stateId, timestamp, model = null, content, vector, dimensions: rows}): Draft => {
		const at = {stateId, timestamp: timeOf('timestamp', timestamp).toISOString()};
		if (rows) {
			return done({kind: 'state', item: {...at, model, rows: dimensions.map(name => floats(rows[name]!))}});
		}

		return vector
			? done({kind: 'state', item: {...at, model, vector: floats(vector)}})
			: {texts: [required(content, '“dimensions”, a “vector” or a “content” to embed')], make: ([made], of) => ({kind: 'state', item: {...at, model: of, vector: made!}})};
	}),
	thought: kind(Thought, ({thought_type: type = null, content = null, model = null, vector}): Draft => vector
		? done({kind: 'thought', item: {type, content, model, vector: floats(vector)}})
		: {texts: [required(content, 'a “vector” or a “content” to embed')], make: ([made], of) => ({kind: 'thought', item: {type, content, model: of, vector: made!}})}),
	direction: kind(Direction, ({category, name, pole_positive: polePositive, pole_negative: poleNegative, model = null, vector, positive, negative}): Draft => {
		const axis = {category, name, polePositive, poleNegative};
		if (vector) {
			return done({kind: 'direction', item: {...axis, model, vector: floats(vector)}});
		}

		const count = required(positive, 'a “vector”, or examples of both poles as “positive” and “negative”').length;
		return {
			texts: [...positive!, ...required(negative, 'examples of its “negative” pole')],
			make: (made, of) => ({kind: 'direction', item: {...axis, model: of, vector: contrast(made.slice(0, count), made.slice(count))}}),
		};
	}),
	message: kind(MessageEntry, ({conversation, title = null, deleted: isDeleted = false, role, content, created}): Draft => {
		if (typeof created === 'string') {
			timeOf('created', created);
		}

		// As it was written, since a message is known again by it.
		return done({kind: 'message', item: {conversation, title, isDeleted, role, content, createdAt: String(created)}});
	}),
} satisfies Record<Kind, (value: unknown) => Draft>;

/** @throws {TypeError} that says what is wrong with an entry. */
export const draftOf = (name: Kind, value: unknown): Draft => kinds[name](value);

export const kindNames = Object.keys(kinds) as Kind[];

const schemas: Record<Kind, TObject> = {state: State, thought: Thought, direction: Direction, message: MessageEntry};

/**
 * The kind that an entry looks like, other than the one it is taken for: it has all that the other needs and
 * something that only the other has, and nothing that only the asked one has. Of several the one with most fields.
 *
 * @returns null where it looks like no other; else also the fields that only the other has
 */
export const looksLike = (asked: Kind, entry: unknown): {kind: Kind; fields: string[]} | null => {
	const given = Object.keys(entry ?? {});
	const own = schemas[asked].properties;
	const likely = kindNames.flatMap(other => {
		const {properties, required = []} = schemas[other];
		const fields = given.filter(field => field in properties && !(field in own));
		const isLikely = required.every(field => given.includes(field)) && !given.some(field => field in own && !(field in properties));
		return isLikely && fields.length > 0 ? [{kind: other, fields}] : [];
	});
	return likely.toSorted((a, b) => b.fields.length - a.fields.length)[0] ?? null;
};

function kind<Entry extends TObject>(schema: Entry, draft: (entry: Static<Entry>) => Draft): (value: unknown) => Draft {
	return value => {
		const entry = converted(schema, value);
		if (!Value.Check(schema, entry)) {
			const [fault] = Value.Errors(schema, entry);
			const [, field = ''] = fault!.instancePath.split('/');
			const {description} = (schema.properties[field] ?? {}) as {description?: string};
			throw new TypeError(description ? `“${field}” must be ${description}` : `it ${fault!.message}`);
		}

		return draft(entry as Static<Entry>);
	};
}

/** What comes from a cell of CSV is text: numbers, marks and lists are made of it where they are wanted; text stays as it is. */
const converted = (schema: TObject, value: unknown): unknown => {
	if (typeof value !== 'object' || value === null) {
		return value;
	}

	const entry: Record<string, unknown> = {...value};
	for (const [name, expected] of Object.entries<TSchema>(schema.properties)) {
		const field = entry[name];
		if (typeof field === 'string' && !Value.Check(expected, field)) {
			entry[name] = /^\s*[[{]/.test(field) ? parsed(field) : Value.Convert(expected, field);
		}
	}

	return entry;
};

const parsed = (json: string): unknown => {
	try {
		return JSON.parse(json);
	} catch {
		return json;
	}
};

const floats = (numbers: readonly number[]): Float32Array => {
	const vector = Float32Array.from(numbers);
	if (!vector.every(Number.isFinite)) {
		throw new TypeError('a vector has a number that float32 cannot hold');
	}

	return vector;
};

/** One that names no zone is in UTC, as all times are (`docs/spec/behaviour.md#time`), wherever it is read. */
const timeOf = (field: string, text: string): Date => {
	const date = new Date(/(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`);
	if (Number.isNaN(date.getTime()) || !isDay(text.slice(0, 10))) {
		throw new TypeError(`“${field}” must be ${time}`);
	}

	return date;
};

/** JavaScript takes the 30th of February for the 2nd of March. */
const isDay = (day: string): boolean => (new Date(day).toJSON() as string | null)?.startsWith(day) ?? false;

const done = (item: Item): Draft => ({texts: [], make: () => item});

const required = <Field>(field: Field | null | undefined, what: string): Field => {
	if (field === null || field === undefined) {
		throw new TypeError(`it needs ${what}`);
	}

	return field;
};
