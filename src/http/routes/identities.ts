/** `/identities` and `/fleet`: the identities of a host. Each identity's endpoints are below `/identities/:id`. */
import {Type, type Static} from '../../platform/typebox.ts';
import type {Beginning, Host} from '../../host/host.ts';
import {Fleet, FleetRequest} from '../../instruments/answers/fleet.ts';
import {maxInitialStateId} from '../../semiosis/fixation.ts';
import {dimensions, width} from '../../kernel/dimensions.ts';
import {StateTensor} from '../../kernel/state-tensor.ts';
import {memoizeWeak} from '../../platform/immutable.ts';
import {fromWire, toWire, wireSchema} from '../../wire/names.ts';
import {invalidValue} from '../middleware/validation.ts';
import {errorResponses} from '../schemas/errors.ts';
import {route} from './route.ts';
import {flag, integer, list, nullable, nullableText, onlyThese, shape, text} from '../../wire/builders.ts';
import {Tensor} from '../schemas/state.ts';

/** The subject of the routes below: the host, and the name in the path. */
export type HostRequest = {host: Host; name: string};

const name = (description: string) => text(description, 'ada', {minLength: 1, maxLength: 100});

const parameters = {id: name('Its name: 1 to 100 lower-case letters, digits, “-”, “_” and “.”, the first and the last a letter '
	+ 'or a digit.')};

export const IdentityInfoSchema = shape('IdentityInfo', 'An identity.', {
	id: name('Its name.'),
	isLive: flag('Whether it is in memory. One that is not is opened by the first request.', true),
});

export const Identities = shape('Identities', 'Identities in the order of their names.', {
	identities: list('The page.', IdentityInfoSchema),
	next: nullableText('The value of `after` for the next page; null for the last page.', 'ada'),
	defaultId: name('The identity for requests that name none.'),
});

export const identities = route({
	method: 'GET',
	path: '/identities',
	summary: 'The identities',
	description: 'Every identity that was created, page by page. Below /identities/{id} is every endpoint of that one: POST '
		+ '/identities/ada/cycle.',
	query: Type.Object({
		after: Type.Optional(text('Name after which the page begins.', 'ada', {default: ''})),
		limit: Type.Optional(integer('Maximum number.', 100, {minimum: 1, maximum: 1000, default: 100})),
	}),
	responses: {200: wireSchema(Identities), ...errorResponses(422, 503)},
	async handle({host}: HostRequest, {after, limit}) {
		// One more than requested, to see whether there is another page.
		const found = await host.list(after || null, limit + 1);
		const page = found.slice(0, limit);
		return toWire(Identities)({
			identities: page.map(({name: id, isLive}) => ({id, isLive})), next: found.length > limit ? page.at(-1)!.name : null,
			defaultId: host.defaultName,
		}) as never;
	},
});

const toAnswer = memoizeWeak((answer: object) => toWire(Fleet)(answer) as object);

export const fleet = route({
	method: 'GET',
	path: '/fleet',
	summary: 'Every identity at a glance',
	description: 'A row of each identity, as its newest record left it: what it heard, whether its chart has an alarm, how likely chance '
		+ 'leads as far, and who pushed most. Rows are kept, so no identity is opened for it. The evidence holds at every look of one '
		+ 'identity, not over all: of twenty ordinary ones one has a p of .05 or less, sooner or later. Ask again with the ETag of an '
		+ 'answer as If-None-Match: while nothing has changed the answer is a 304 without a body.',
	query: wireSchema(FleetRequest),
	isCacheable: true,
	isPolled: true,
	texts: {'text/html': text('Where the inspector is served: a page that shows the same.', '<!doctype html>')},
	responses: {200: wireSchema(Fleet), ...errorResponses(422, 503)},
	async handle({host}: HostRequest, fields) {
		return toAnswer(await host.fleet!(fromWire(FleetRequest)(fields) as never)) as never;
	},
});

export const CreateIdentityRequest = onlyThese(shape('CreateIdentityRequest', 'Beginning of the identity; by default, the beginning '
	+ 'that the service is set to.', {
	copyOf: Type.Optional(nullableText('The name of an identity with whose present state and reference it begins. Its past is '
		+ 'not copied.', 'ada', {default: null})),
	state: Type.Optional(Type.Unsafe<Static<typeof Tensor> | null>({
		...nullable('The state to begin with, as GET /tensor gives it.', Tensor), default: null,
	})),
}));

export const putIdentity = route({
	method: 'PUT',
	path: '/identities/:id',
	summary: 'Create an identity',
	description: 'Creates it, with the beginning that the body names, or with that of the service. Asking for a name does not create '
		+ 'an identity. The answer comes when its beginning is durable.',
	parameters,
	body: wireSchema(CreateIdentityRequest),
	bodyBounds: {maxValues: 2 * dimensions.length * width, maxMetadataBytes: Infinity},
	status: 201,
	responses: {200: wireSchema(IdentityInfoSchema), ...errorResponses(404, 409, 413, 415, 422, 429, 500, 503)},
	async handle({host, name: id}: HostRequest, fields) {
		const {copyOf, state} = fromWire(CreateIdentityRequest)(fields) as Required<Static<typeof CreateIdentityRequest>>;
		await host.create(id, toBeginning(copyOf, state));
		return toWire(IdentityInfoSchema)({id, isLive: false}) as never;
	},
});

export const putAsideIdentity = route({
	method: 'DELETE',
	path: '/identities/:id',
	summary: 'Put an identity aside',
	description: 'Closes it when its accepted requests are done, and puts it where no request finds it. Nothing is erased: an operator '
		+ 'can restore it. Its name is then free.',
	parameters,
	status: 204,
	responses: {200: shape('PutAside', 'It is put aside.', {}), ...errorResponses(404, 409, 422, 503)},
	async handle({host, name: id}: HostRequest) {
		await host.putAside(id);
		return {};
	},
});

const toBeginning = (copyOf: string | null, state: Static<typeof Tensor> | null): Beginning => {
	if (copyOf !== null && state !== null) {
		throw invalidValue(['body'], 'Give copy_of or state, not both', {});
	}

	return copyOf === null ? {...(state && {state: toState(state)})} : {copyOf};
};

/** @throws {RequestError} (422) for a number too large to count on from, or a row of the wrong length, all zeros or not finite */
const toState = ({stateId, timestamp, dimensions: rows}: Static<typeof Tensor>): StateTensor => {
	if (stateId < 0 || stateId > maxInitialStateId) {
		throw invalidValue(['body', 'state', 'state_id'], `Input should be from 0 to ${maxInitialStateId}`, stateId);
	}

	return new StateTensor(stateId, timestamp, dimensions.map(dimension => {
		const row = Float32Array.from(rows[dimension]);
		if (row.length !== width || !(row.some(value => value !== 0) && row.every(Number.isFinite))) {
			throw invalidValue(['body', 'state', 'dimensions', dimension], `Input should be ${width} numbers that are not all 0`, row.length);
		}

		return row;
	}));
};
