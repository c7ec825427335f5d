/**
 * Gauges of many identities, from the rows of a fleet: counts over all, and a series for each of the few with the strongest
 * evidence of drift. An identity has a series only while it is one of these, so the number of series is bounded.
 */
import type {Registry} from 'prom-client';
import type {Fleet, FleetIdentity, FleetRequest} from '../../generated/types.ts';
import {registerGauge} from './gauges.ts';

/** Most identities with a series. */
const maxNamed = 20;

const countNamed = (of: Fleet['sources']): number => of.filter(({named}) => named).length;

const ofAll: ReadonlyArray<readonly [name: string, help: string, read: (fleet: Fleet) => number]> = [
	['identities', 'Number of identities.', ({total}) => total],
	['alarms', 'Identities whose chart has a reading above its limit.', ({alarms}) => alarms],
	['named', 'Identities that are named: of all that are, at most a twentieth are by chance, on average.', ({named}) => named],
	['moving_sources', 'Sources that are named: they move two identities or more.', ({sources}) => countNamed(sources)],
	['unusual', 'Identities with a p of .05 or less: one of twenty ordinary ones has, sooner or later.', ({unusual}) => unusual],
	['behind', 'Identities whose row is not current.', ({behind}) => behind],
];

const ofOne: ReadonlyArray<readonly [name: string, help: string, read: (identity: FleetIdentity) => number | null]> = [
	['p', 'How likely ordinary talk ever leads as far, of those with the strongest evidence.', ({p}) => p],
	['distance', 'How far what was heard was at most from ordinary talk, of the same; 1 is usual.', ({distance}) => distance],
	['alarm', 'Whether a reading of the chart is above its limit, of the same.', ({alarm}) => Number(alarm)],
	['is_named', 'Whether it is named, of the same.', ({named}) => Number(named)],
	['held', 'Texts that wait, of the same.', ({held}) => held],
];

/** Registers the gauges of a fleet, which is read once per scrape. If that fails, they have no samples. */
export const registerFleet = (registry: Registry, ask: (request: FleetRequest) => Promise<Fleet>): void => {
	/** Shared by the gauges of a scrape, which are collected at the same time. */
	let asked: Promise<Fleet | null> | null = null;
	const read = async (): Promise<Fleet | null> => {
		asked ??= ask({order: 'evidence', limit: maxNamed}).catch(() => null).finally(() => {
			asked = null;
		});
		return asked;
	};

	for (const [name, help, valueOf] of ofAll) {
		registerGauge(registry, {name: `fleet_${name}`, help}, async () => {
			const fleet = await read();
			return [[{}, fleet && valueOf(fleet)]];
		});
	}

	for (const [name, help, valueOf] of ofOne) {
		registerGauge(registry, {name: `fleet_${name}`, help, label: 'identity'}, async () =>
			((await read())?.identities ?? []).map(identity => [{identity: identity.id}, valueOf(identity)]));
	}
};
