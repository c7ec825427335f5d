/**
 * What a Weaviate server may answer, over REST and over GraphQL, and what is in it. Anything
 * else is unusable, however well it begins.
 */
import {Type, type Static, type TObject} from 'typebox';
import {Value} from 'typebox/value';

/** A class of Weaviate's schema: the properties that are read of its objects. */
export type Class<Properties extends TObject = TObject> = {name: string; properties: Properties};

export type Found<Properties extends TObject> = {
	properties: Static<Properties>;
	/** Empty where none is stored. */
	vector: Float32Array;
};

const nullable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const Vector = nullable(Type.Array(Type.Number()));

/** One vector, or several that have names, of which ours is called `default`. */
const Vectors = {vector: Vector, vectors: nullable(Type.Object({default: Vector}))};

const RestAnswer = Type.Object({objects: Type.Array(Type.Object({properties: Type.Unknown(), ...Vectors}))});

const GraphQlAnswer = Type.Object({
	data: Type.Object({Get: Type.Record(Type.String(), Type.Array(Type.Object({_additional: Type.Object(Vectors)})))}),
});

/** GraphQL answers a question that it does not understand so, with status 200. */
const GraphQlRefusal = Type.Object({errors: Type.Array(Type.Unknown(), {minItems: 1})});

const Message = Type.Object({message: Type.String()});

const Refusals = Type.Union([
	Type.Object({error: Type.Array(Message)}),
	Type.Object({errors: Type.Array(Message)}),
	Message,
]);

/** The objects of an answer to `GET /v1/objects`; null when it is none. */
export const objectsOf = <Properties extends TObject>(answer: unknown, {properties}: Class<Properties>): Array<Found<Properties>> | null =>
	Value.Check(RestAnswer, answer) ? checked(answer.objects.map(object => [object.properties, object]), properties) : null;

/** The objects of an answer to `POST /v1/graphql`; null when it is none. */
export const gotten = <Properties extends TObject>(answer: unknown, {name, properties}: Class<Properties>): Array<Found<Properties>> | null => {
	const objects = Value.Check(GraphQlAnswer, answer) ? answer.data.Get[name] : undefined;
	return objects ? checked(objects.map(({_additional: vectors, ...object}) => [object, vectors]), properties) : null;
};

export const isRefusal = (answer: unknown): boolean => Value.Check(GraphQlRefusal, answer);

/** What a server says of why it refuses; empty when it says nothing in a known form. */
export const wordsOf = (answer: unknown): string => {
	if (!Value.Check(Refusals, answer)) {
		return '';
	}

	const messages = 'error' in answer ? answer.error : 'errors' in answer ? answer.errors : [answer];
	return messages.map(({message}) => message).join('; ');
};

type Stored = Static<typeof RestAnswer>['objects'][number];

const checked = <Properties extends TObject>(objects: Array<[unknown, Pick<Stored, 'vector' | 'vectors'>]>, schema: Properties): Array<Found<Properties>> | null => {
	const found: Array<Found<Properties>> = [];
	for (const [properties, {vector, vectors}] of objects) {
		if (!Value.Check(schema, properties)) {
			return null;
		}

		// Where vectors have names, the nameless one is there and empty.
		found.push({properties, vector: Float32Array.from(vector?.length ? vector : vectors?.default ?? [])});
	}

	return found;
};
