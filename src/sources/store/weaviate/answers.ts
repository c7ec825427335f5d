/** The answers of a Weaviate server, over REST and GraphQL, checked and converted to objects with vectors. */
import {Type, Value, type Static, type TObject} from '../../../platform/typebox.ts';

/** A class of Weaviate's schema, with the properties that are read. */
export type Class<Properties extends TObject = TObject> = {name: string; properties: Properties};

export type Found<Properties extends TObject> = {
	properties: Static<Properties>;
	/** Empty if none is stored. */
	vector: Float32Array;
};

const nullable = <Schema extends Parameters<typeof Type.Optional>[0]>(schema: Schema) => Type.Optional(Type.Union([schema, Type.Null()]));

const Vector = nullable(Type.Array(Type.Number()));

/** One vector, or several named ones, of which `default` is read. */
const Vectors = {vector: Vector, vectors: nullable(Type.Object({default: Vector}))};

const RestAnswer = Type.Object({objects: Type.Array(Type.Object({properties: Type.Unknown(), ...Vectors}))});

const GraphQlAnswer = Type.Object({
	data: Type.Object({Get: Type.Record(Type.String(), Type.Array(Type.Object({_additional: Type.Object(Vectors)})))}),
});

/** GraphQL's answer to an invalid query, with status 200. */
const GraphQlError = Type.Object({errors: Type.Array(Type.Unknown(), {minItems: 1})});

const Message = Type.Object({message: Type.String()});

const ErrorAnswer = Type.Union([
	Type.Object({error: Type.Array(Message)}),
	Type.Object({errors: Type.Array(Message)}),
	Message,
]);

/** The objects in an answer to `GET /v1/objects`; null if it has another form. */
export const parseRestAnswer = <Properties extends TObject>(
	answer: unknown, {properties}: Class<Properties>,
): Array<Found<Properties>> | null =>
	Value.Check(RestAnswer, answer)
		? checkObjects(answer.objects.map(object => [object.properties, object]), properties)
		: null;

/** The objects in an answer to `POST /v1/graphql`; null if it has another form. */
export const parseGraphQlAnswer = <Properties extends TObject>(
	answer: unknown, {name, properties}: Class<Properties>,
): Array<Found<Properties>> | null => {
	const objects = Value.Check(GraphQlAnswer, answer) ? answer.data.Get[name] : undefined;
	return objects ? checkObjects(objects.map(({_additional: vectors, ...object}) => [object, vectors]), properties) : null;
};

export const isGraphQlError = (answer: unknown): boolean => Value.Check(GraphQlError, answer);

/** The messages of an error answer; empty if it has an unknown form. */
export const readErrorMessages = (answer: unknown): string => {
	if (!Value.Check(ErrorAnswer, answer)) {
		return '';
	}

	const messages = 'error' in answer ? answer.error : 'errors' in answer ? answer.errors : [answer];
	return messages.map(({message}) => message).join('; ');
};

type Stored = Static<typeof RestAnswer>['objects'][number];

const checkObjects = <Properties extends TObject>(
	objects: Array<[unknown, Pick<Stored, 'vector' | 'vectors'>]>, schema: Properties,
): Array<Found<Properties>> | null => {
	const found: Array<Found<Properties>> = [];
	for (const [properties, {vector, vectors}] of objects) {
		if (!Value.Check(schema, properties)) {
			return null;
		}

		// With named vectors, `vector` is present and empty.
		found.push({properties, vector: Float32Array.from(vector?.length ? vector : vectors?.default ?? [])});
	}

	return found;
};
