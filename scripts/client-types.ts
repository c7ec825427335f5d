/**
 * The requests and responses as types, from the schemas of the routes. Written out they need no
 * TypeBox where they are read, and an editor shows what each field means.
 */
import type {TSchema} from '../src/platform/typebox.ts';
import {questions} from '../src/http/questions.ts';
import * as identities from '../src/http/routes/identities.ts';
import {OpenapiDocument} from '../src/http/routes/openapi.ts';
import {Alive, Ready} from '../src/http/routes/probes.ts';
import {CycleRequest, CycleResponse} from '../src/http/schemas/cycle.ts';
import {wireSchema} from '../src/wire/names.ts';

/** What is used of JSON Schema. */
type Schema = {
	'type'?: string | readonly string[];
	'enum'?: readonly string[];
	'anyOf'?: readonly Schema[];
	'items'?: Schema;
	'properties'?: Record<string, Schema>;
	'required'?: readonly string[];
	'additionalProperties'?: Schema | boolean;
	'description'?: string;
	'x-unit'?: string;
};

type Row = (typeof questions)[number];

const rowOf = <Name extends Row['name']>(name: Name) => questions.find(row => row.name === name) as Extract<Row, {name: Name}>;

/** By the name of the type: what it is of, and its schema. */
const types: Record<string, [what: string, schema: TSchema]> = {
	Health: ['Response of `GET /health`.', rowOf('health').answer],
	CycleRequest: ['Body of `POST /cycle`.', CycleRequest],
	CycleResponse: ['Response of `POST /cycle`.', CycleResponse],
	DryRunResponse: ['Response of `POST /dry-run`.', rowOf('dryRun').answer],
	WhatIfRequest: ['Body of `POST /what-if`.', rowOf('whatIf').ask!],
	WhatIfResponse: ['Response of `POST /what-if`.', rowOf('whatIf').answer],
	TranslateRequest: ['Body of `POST /translate`.', rowOf('translate').ask!],
	TranslateResponse: ['Response of `POST /translate`.', rowOf('translate').answer],
	State: ['Response of `GET /state`.', rowOf('state').answer],
	Tensor: ['Response of `GET /tensor`.', rowOf('tensor').answer],
	Vigilance: ['Response of `GET /vigilance`.', rowOf('vigilance').answer],
	Metrics: ['Response of `GET /metrics`, as JSON.', rowOf('metrics').answer],
	ResetResponse: ['Response of `POST /reset`.', rowOf('reset').answer],
	ValidateRequest: ['Body of `POST /validate`.', rowOf('validate').ask!],
	ValidateResponse: ['Response of `POST /validate`.', rowOf('validate').answer],
	DaemonStatus: ['Response of `GET /daemon/status`. Two names mislead, as the interface has them: `cycles_since_last_user` is the total of all cycles but the user\'s, and `time_since_last_user_seconds` counts from the last trigger of any kind.', rowOf('daemonStatus').answer],
	DaemonStartResponse: ['Response of `POST /daemon/start`.', rowOf('daemonStart').answer],
	DaemonStopResponse: ['Response of `POST /daemon/stop`.', rowOf('daemonStop').answer],
	Profile: ['Response of `GET /profile`.', rowOf('profile').answer],
	ScaledProfile: ['Response of `GET /profile/scaled`.', rowOf('scaledProfile').answer],
	Ledger: ['Response of `GET /ledger`.', rowOf('ledger').answer],
	History: ['Response of `GET /history`.', rowOf('history').answer],
	Difference: ['Response of `GET /diff`.', rowOf('diff').answer],
	Drift: ['Response of `GET /drift`.', rowOf('drift').answer],
	Sources: ['Response of `GET /sources`.', rowOf('sources').answer],
	Identities: ['Response of `GET /identities`.', identities.Identities],
	CreateIdentityRequest: ['Body of `PUT /identities/:id`.', identities.CreateIdentityRequest],
	IdentityInfo: ['Response of `PUT /identities/:id`.', identities.IdentityInfo],
	Alive: ['Response of `GET /livez`.', Alive],
	Ready: ['Response of `GET /readyz`.', Ready],
	OpenapiDocument: ['Response of `GET /openapi.json`.', OpenapiDocument],
};

const simple: Record<string, string> = {string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null'};

const typeOf = (schema: Schema, indent: string): string => {
	const {type, enum: words, anyOf, items, properties, additionalProperties} = schema;
	if (words) {
		return words.map(word => `'${word}'`).join(' | ');
	}

	if (anyOf) {
		return anyOf.map(each => typeOf(each, indent)).join(' | ');
	}

	if (Array.isArray(type)) {
		return type.map(each => simple[each]).join(' | ');
	}

	if (type === 'array') {
		return `Array<${typeOf(items!, indent)}>`;
	}

	if (properties) {
		return `{\n${fieldsOf(schema, `${indent}\t`)}${indent}}`;
	}

	if (type === 'object') {
		return `Record<string, ${typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'}>`;
	}

	return simple[type as string] ?? 'unknown';
};

const fieldsOf = ({properties = {}, required = []}: Schema, indent: string): string => Object.entries(properties).map(([name, field]) => {
	const unit = field['x-unit'];
	return `${indent}/** ${field.description}${unit === undefined ? '' : ` In ${unit}.`} */\n${indent}${name}${required.includes(name) ? '' : '?'}: ${typeOf(field, indent)};\n`;
}).join('');

/** The file `src/client/responses.ts`. */
export const clientTypes = (): string => [
	'/** Requests and responses as types, written from the schemas that the service checks with by `npm run client-types`. */\n',
	...Object.entries(types).map(([name, [what, schema]]) => `/** ${what} */\nexport type ${name} = ${typeOf(wireSchema(schema) as Schema, '')};\n`),
].join('\n');
