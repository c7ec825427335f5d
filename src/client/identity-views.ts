/** Responses of the service → the views of an identity, where more than the names of their fields differs. */
import type {ProfileView, ScaledProfileView, TensorView} from '../identity/views.ts';
import {dimensions, type Dimension} from '../tensor/dimensions.ts';
import {toCamelCase} from '../wire/camel-case.ts';
import type {Profile, ScaledProfile, Tensor} from './responses.ts';

export const toTensorView = ({state_id: stateId, timestamp, dimensions: rows}: Tensor): TensorView => ({
	stateId,
	timestamp,
	dimensions: Object.fromEntries(dimensions.map(name => [name, Float32Array.from(rows[name])])) as Record<Dimension, Float32Array>,
});

export const toScaledProfileView = ({directions, ...rest}: ScaledProfile): ScaledProfileView =>
	({...toCamelCase(rest), directions: directions.map(direction => toCamelCase(direction))});

/** The names of categories and directions are data, and stay. */
export const toProfileView = ({profile, reference_profile: reference, ...rest}: Profile): ProfileView =>
	({...toCamelCase(rest), profile: toEntries(profile), referenceProfile: toEntries(reference)});

const toEntries = (categories: Profile['profile']): ProfileView['profile'] =>
	mapValues(categories, directions => mapValues(directions, entry => toCamelCase(entry)));

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
