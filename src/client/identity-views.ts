/** Responses of the service → the views of an identity, where more than the names of their fields differs. */
import type {DryRunView, ProfileView, ScaledProfileView, TensorView, WhatIfView} from '../identity/views.ts';
import type {Difference as DifferenceView} from '../instruments/describe-difference.ts';
import type {Drift as DriftView, SourcesReport} from '../instruments/drift.ts';
import type {Ledger as LedgerView} from '../instruments/describe-ledger.ts';
import type {History as HistoryView} from '../instruments/run-history.ts';
import {dimensions, type Dimension} from '../kernel/dimensions.ts';
import {toCamelCase} from '../wire/camel-case.ts';
import type {Difference, Drift, DryRunResponse, History, Ledger, Profile, ScaledProfile, Sources, Tensor, WhatIfResponse} from './responses.ts';

export const toTensorView = ({state_id: stateId, timestamp, dimensions: rows}: Tensor): TensorView => ({
	stateId,
	timestamp,
	dimensions: Object.fromEntries(dimensions.map(name => [name, Float32Array.from(rows[name])])) as Record<Dimension, Float32Array>,
});

export const toScaledProfileView = ({directions, ...rest}: ScaledProfile): ScaledProfileView =>
	({...toCamelCase(rest), directions: directions.map(direction => toCamelCase(direction))});

export const toLedgerView = ({from, entries, ...rest}: Ledger): LedgerView =>
	({...toCamelCase(rest), from: toCamelCase(from), entries: entries.map(entry => toCamelCase(entry))});

export const toHistoryView = ({from, to, points, ...rest}: History): HistoryView =>
	({...toCamelCase(rest), from: toCamelCase(from), to: toCamelCase(to), points: points.map(point => toCamelCase(point))});

export const toDifferenceView = ({from, to, directions, ...rest}: Difference): DifferenceView =>
	({...toCamelCase(rest), from: toCamelCase(from), to: toCamelCase(to), directions: directions.map(direction => toCamelCase(direction))});

export const toDriftView = ({since, validation, stand_out: standOut, sources, path, chart, ...rest}: Drift): DriftView => ({
	...toCamelCase(rest),
	since: toCamelCase(since),
	validation: validation && toCamelCase(validation),
	standOut: standOut.map(direction => toCamelCase(direction)),
	sources: sources.map(source => toCamelCase(source)),
	path: path.map(point => toCamelCase(point)),
	chart: chart && toCamelCase(chart),
});

export const toSourcesView = ({since, sources, ...rest}: Sources): SourcesReport =>
	({...toCamelCase(rest), since: toCamelCase(since), sources: sources.map(source => toCamelCase(source))});

export const toDryRunView = ({moves, ...rest}: DryRunResponse): DryRunView =>
	({...toCamelCase(rest), moves: moves.map(move => toCamelCase(move))});

export const toWhatIfView = ({from, directions, ...rest}: WhatIfResponse): WhatIfView =>
	({...toCamelCase(rest), from: toCamelCase(from), directions: directions.map(direction => toCamelCase(direction))});

/** The names of categories and directions are data, and stay. */
export const toProfileView = ({profile, reference_profile: reference, ...rest}: Profile): ProfileView =>
	({...toCamelCase(rest), profile: toEntries(profile), referenceProfile: toEntries(reference)});

const toEntries = (categories: Profile['profile']): ProfileView['profile'] =>
	mapValues(categories, directions => mapValues(directions, entry => toCamelCase(entry)));

const mapValues = <From, To>(record: Record<string, From>, change: (value: From) => To): Record<string, To> =>
	Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
