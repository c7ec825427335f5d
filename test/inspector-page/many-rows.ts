/** Fleets of made-up rows, some of them named because of one source, for the page and its pictures. */
import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {FleetFile} from '../../src/host/fleet-file.ts';
import {emptyRow, type FleetEntry} from '../../src/instruments/fleet.ts';
import {mulberry32} from '../../src/platform/clock.ts';

/** Keeps rows in a folder as an earlier run left them, each with a journal. @returns the file of the rows */
export const keepRows = async (folder: string, entries: readonly FleetEntry[]): Promise<string> => {
	const fleetFile = path.join(folder, 'fleet.sqlite');
	const store = new FleetFile(fleetFile, console.warn);
	await store.put(entries);
	store.close();
	for (const {name} of entries) {
		mkdirSync(path.join(folder, 'identities', name), {recursive: true});
		writeFileSync(path.join(folder, 'identities', name, 'journal.sqlite'), '');
	}

	return fleetFile;
};

/** @param named how many are named; the first of them comes after two thirds of all rows */
export const manyRows = (count: number, named = 1): FleetEntry[] => {
	const random = mulberry32(5);
	const firstNamed = Math.floor(count * 2 / 3);
	return Array.from({length: count}, (_, i): FleetEntry => {
		const isNamed = i >= firstNamed && i < firstNamed + named;
		let level = 0.3;
		const readings = Array.from({length: 32}, (_one, k) => {
			level = 0.8 * level + 0.2 * (0.15 + 0.5 * random()) + (isNamed && k > 20 ? 0.16 : 0);
			return Number(level.toPrecision(3));
		});
		const p = isNamed ? 0.005 : Math.ceil(random() * 200) / 200;
		return {
			name: `identity-${String(i).padStart(4, '0')}`, isCurrent: true,
			row: {
				...emptyRow, records: 1, texts: Math.floor(200 + random() * 4000), validated: '2026-03-01T12:00:00.000Z',
				lastText: new Date(1.7744e12 - i * 977_000).toISOString(),
				watch: {
					conversations: 400, alarm: readings.at(-1)! > 1, p, tailP: isNamed ? 2e-7 : p, distance: isNamed ? 2.6 : 1 + random() / 3,
					unreadShare: 0.02,
					topSource: isNamed ? {source: 'Viktor', share: 0.82, p: 0.005, explains: true} : null, readings, endsAt: null,
				},
			},
		};
	});
};
