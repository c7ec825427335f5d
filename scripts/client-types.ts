/**
 * The requests and responses as types, from the schemas of the routes. Written out they need no
 * TypeBox where they are read, and an editor shows what each field means.
 */
import type {TSchema} from '../src/platform/typebox.ts';
import * as cycle from '../src/http/routes/cycle.ts';
import * as daemon from '../src/http/routes/daemon.ts';
import {Difference} from '../src/http/routes/difference.ts';
import {Drift} from '../src/http/routes/drift.ts';
import {DryRunResponse} from '../src/http/routes/dry-run.ts';
import {Health} from '../src/http/routes/health.ts';
import {History} from '../src/http/routes/history.ts';
import * as identities from '../src/http/routes/identities.ts';
import {Ledger} from '../src/http/routes/ledger.ts';
import {Metrics} from '../src/http/routes/metrics.ts';
import {OpenapiDocument} from '../src/http/routes/openapi.ts';
import {Alive, Ready} from '../src/http/routes/probes.ts';
import {Profile} from '../src/http/routes/profile.ts';
import {ResetResponse} from '../src/http/routes/reset.ts';
import {ScaledProfile} from '../src/http/routes/scaled-profile.ts';
import {Sources} from '../src/http/routes/sources.ts';
import {State} from '../src/http/routes/state.ts';
import {Tensor} from '../src/http/routes/tensor.ts';
import * as translate from '../src/http/routes/translate.ts';
import * as validate from '../src/http/routes/validate.ts';
import {Vigilance} from '../src/http/routes/vigilance.ts';
import * as whatIf from '../src/http/routes/what-if.ts';

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

/** By the name of the type: what it is of, and its schema. */
const types: Record<string, [what: string, schema: TSchema]> = {
	Health: ['Response of `GET /health`.', Health],
	CycleRequest: ['Body of `POST /cycle`.', cycle.CycleRequest],
	CycleResponse: ['Response of `POST /cycle`.', cycle.CycleResponse],
	DryRunResponse: ['Response of `POST /dry-run`.', DryRunResponse],
	WhatIfRequest: ['Body of `POST /what-if`.', whatIf.WhatIfRequest],
	WhatIfResponse: ['Response of `POST /what-if`.', whatIf.WhatIfResponse],
	TranslateRequest: ['Body of `POST /translate`.', translate.TranslateRequest],
	TranslateResponse: ['Response of `POST /translate`.', translate.TranslateResponse],
	State: ['Response of `GET /state`.', State],
	Tensor: ['Response of `GET /tensor`.', Tensor],
	Vigilance: ['Response of `GET /vigilance`.', Vigilance],
	Metrics: ['Response of `GET /metrics`, as JSON.', Metrics],
	ResetResponse: ['Response of `POST /reset`.', ResetResponse],
	ValidateRequest: ['Body of `POST /validate`.', validate.ValidateRequest],
	ValidateResponse: ['Response of `POST /validate`.', validate.ValidateResponse],
	DaemonStatus: ['Response of `GET /daemon/status`. Two names mislead, as the interface has them: `cycles_since_last_user` is the total of all cycles but the user\'s, and `time_since_last_user_seconds` counts from the last trigger of any kind.', daemon.DaemonStatus],
	DaemonStartResponse: ['Response of `POST /daemon/start`.', daemon.DaemonStartResponse],
	DaemonStopResponse: ['Response of `POST /daemon/stop`.', daemon.DaemonStopResponse],
	Profile: ['Response of `GET /profile`.', Profile],
	ScaledProfile: ['Response of `GET /profile/scaled`.', ScaledProfile],
	Ledger: ['Response of `GET /ledger`.', Ledger],
	History: ['Response of `GET /history`.', History],
	Difference: ['Response of `GET /diff`.', Difference],
	Drift: ['Response of `GET /drift`.', Drift],
	Sources: ['Response of `GET /sources`.', Sources],
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
	...Object.entries(types).map(([name, [what, schema]]) => `/** ${what} */\nexport type ${name} = ${typeOf(schema as Schema, '')};\n`),
].join('\n');
