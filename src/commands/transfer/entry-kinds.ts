/**
 * The kinds of entries that can be imported: the fields of each, and the item that it makes. An
 * entry without a vector has texts to embed first.
 */
import {Type, Value, type Static, type TObject, type TSchema} from '../../platform/typebox.ts';
import {readTime} from '../../platform/clock.ts';
import {valueOfJson, requireMatch} from '../../platform/describe-faults.ts';
import {contrast} from '../../semiosis/contrast.ts';
import {maxInitialStateId} from '../../semiosis/fixation.ts';
import type {Message} from '../../sources/recent-words.ts';
import type {StoredItem} from '../../sources/store/store.ts';
import {dimensions, width} from '../../kernel/dimensions.ts';

export type Item = StoredItem | ({kind: 'message'} & Message);

export type Kind = Item['kind'];

/** A checked entry: embed its texts, if any, and `make` the item from their vectors. `model` is the model of the vectors. */
export type Draft = {texts: readonly string[]; make: (vectors: readonly Float32Array[], model: string | null) => Item};

const Name = Type.String({minLength: 1});
const Text = Type.String({pattern: String.raw`\S`});
const MaybeText = Type.Optional(Type.Union([Type.String(), Type.Null()]));
const Vector = Type.Array(Type.Number(), {minItems: width, maxItems: width});
const timeTitle = 'a time in ISO 8601, such as 2026-03-01T10:00:00Z';
const Time = Type.String({pattern: String.raw`^\d{4}-\d\d-\d\d[T ]\d\d:\d\d`, title: timeTitle});

const State = Type.Object({
	state_id: Type.Integer({minimum: 0, maximum: maxInitialStateId}),
	timestamp: Time,
	model: MaybeText,
	content: Type.Optional(Text),
	vector: Type.Optional(Vector),
	dimensions: Type.Optional(Type.Object(Object.fromEntries(dimensions.map(name => [name, Vector])))),
});

const Thought = Type.Object({
	thought_type: MaybeText,
	content: Type.Optional(Type.Union([Text, Type.Null()])),
	model: MaybeText,
	vector: Type.Optional(Vector),
});

const Examples = Type.Array(Text, {minItems: 1});

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
	deleted: Type.Optional(Type.Boolean()),
	role: Name,
	content: Type.String(),
	created: Type.Union([Time, Type.Number()], {title: `${timeTitle}, or a number that grows with time`}),
});

const kinds = {
	state: kind(State, ({state_id: stateId, timestamp, model = null, content, vector, dimensions: rows}): Draft => {
		const at = {kind: 'state', stateId, timestamp: parseTime('timestamp', timestamp).toISOString()} as const;
		if (rows) {
			return toFinished({...at, model, rows: dimensions.map(name => toFloats(rows[name]!))});
		}

		return toVectorDraft({model, vector, content}, '“dimensions”, a “vector” or a “content” to embed', made => ({...at, ...made}));
	}),
	thought: kind(Thought, ({thought_type: type = null, content = null, model = null, vector}): Draft =>
		toVectorDraft({model, vector, content}, 'a “vector” or a “content” to embed', made => ({kind: 'thought', type, content, ...made}))),
	direction: kind(Direction, ({
		category, name, pole_positive: polePositive, pole_negative: poleNegative, model = null, vector, positive, negative,
	}): Draft => {
		const axis = {kind: 'direction', category, name, polePositive, poleNegative} as const;
		if (vector) {
			return toFinished({...axis, model, vector: toFloats(vector)});
		}

		const count = requireField(positive, 'a “vector”, or examples of both poles as “positive” and “negative”').length;
		return {
			texts: [...positive!, ...requireField(negative, 'examples of its “negative” pole')],
			make: (made, of) => ({...axis, model: of, vector: contrast(made.slice(0, count), made.slice(count))}),
		};
	}),
	message: kind(MessageEntry, ({conversation, title = null, deleted: isDeleted = false, role, content, created}): Draft => {
		if (typeof created === 'string') {
			parseTime('created', created);
		}

		// The time stays as written, since it identifies the message.
		return toFinished({kind: 'message', conversation, title, isDeleted, role, content, createdAt: String(created)});
	}),
} satisfies Record<Kind, ReturnType<typeof kind>>;

/** @throws {TypeError} saying what is wrong with the entry. */
export const toDraft = (name: Kind, value: unknown): Draft => kinds[name].draft(value);

export const kindNames = Object.keys(kinds) as Kind[];

/**
 * Finds another kind that an entry looks like: it has all required fields of the other kind, at
 * least one field that only the other has, and none that only the asked kind has. Among several,
 * the one with the most such fields wins.
 *
 * @returns the other kind and the fields that only it has; null if there is none.
 */
export const findOtherKind = (asked: Kind, entry: unknown): {kind: Kind; fields: string[]} | null => {
	const given = Object.keys(entry ?? {});
	const own = kinds[asked].schema.properties;
	const likely = kindNames.flatMap(other => {
		const {properties, required = []} = kinds[other].schema;
		const fields = given.filter(field => field in properties && !(field in own));
		const isLikely = required.every(field => given.includes(field)) && !given.some(field => field in own && !(field in properties));
		return isLikely && fields.length > 0 ? [{kind: other, fields}] : [];
	});
	return likely.toSorted((a, b) => b.fields.length - a.fields.length)[0] ?? null;
};

function kind<Entry extends TObject>(
	schema: Entry, draft: (entry: Static<Entry>) => Draft,
): {schema: TObject; draft: (value: unknown) => Draft} {
	return {schema, draft: value => draft(requireMatch(schema, convertTexts(schema, value)))};
}

/** Cells of CSV are text: fields that must be numbers, booleans or lists are converted. */
const convertTexts = (schema: TObject, value: unknown): unknown => {
	if (typeof value !== 'object' || value === null) {
		return value;
	}

	const entry: Record<string, unknown> = {...value};
	for (const [name, expected] of Object.entries<TSchema>(schema.properties)) {
		const field = entry[name];
		if (typeof field === 'string' && !Value.Check(expected, field)) {
			entry[name] = /^\s*[[{]/.test(field) ? valueOfJson(field) ?? field : Value.Convert(expected, field);
		}
	}

	return entry;
};

const toFloats = (numbers: readonly number[]): Float32Array => {
	const vector = Float32Array.from(numbers);
	if (!vector.every(Number.isFinite)) {
		throw new TypeError('its vector has a number that float32 cannot hold');
	}

	return vector;
};

/** A time without a zone is in UTC (`docs/spec/behaviour.md#time`). */
const parseTime = (field: string, text: string): Date => {
	const time = readTime(text);
	if (Number.isNaN(time)) {
		throw new TypeError(`${field} must be ${timeTitle}, not ${JSON.stringify(text)}`);
	}

	return new Date(time);
};

const toFinished = (item: Item): Draft => ({texts: [], make: () => item});

type WithVector = {model: string | null; vector: Float32Array};

/** An item with its entry's vector, else with that of its content. @param needs Names what is missing if it has neither. */
const toVectorDraft = (
	{model, vector, content}: {model: string | null; vector: readonly number[] | undefined; content: string | null | undefined},
	needs: string, toItem: (made: WithVector) => Item,
): Draft => vector
	? toFinished(toItem({model, vector: toFloats(vector)}))
	: {texts: [requireField(content, needs)], make: ([made], of) => toItem({model: of, vector: made!})};

const requireField = <Field>(field: Field | null | undefined, what: string): Field => {
	if (field === null || field === undefined) {
		throw new TypeError(`it needs ${what}`);
	}

	return field;
};
