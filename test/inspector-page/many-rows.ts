/** Fleets of made rows, of which one is ill, for the page and its pictures. */
import {emptyRow, type FleetEntry} from '../../src/instruments/fleet.ts';
import {mulberry32} from '../../src/platform/clock.ts';

/** @param count how many there are; the ill one is “identity-…” of two thirds of them */
export const manyRows = (count: number, seed = 5): FleetEntry[] => {
	const random = mulberry32(seed);
	return Array.from({length: count}, (_, i): FleetEntry => {
		const isIll = i === Math.floor(count * 2 / 3);
		let level = 0.3;
		const readings = Array.from({length: 32}, (_one, k) => {
			level = 0.8 * level + 0.2 * (0.15 + 0.5 * random()) + (isIll && k > 20 ? 0.16 : 0);
			return Number(level.toPrecision(3));
		});
		const p = isIll ? 0.005 : Math.ceil(random() * 200) / 200;
		return {
			name: `identity-${String(i).padStart(4, '0')}`, isCurrent: true,
			row: {
				...emptyRow, records: 1, texts: Math.floor(200 + random() * 4000), validated: '2026-03-01T12:00:00.000Z',
				lastText: new Date(1.7744e12 - i * 977_000).toISOString(),
				watch: {
					conversations: 400, alarm: readings.at(-1)! > 1, p, tailP: isIll ? 2e-7 : p, distance: isIll ? 2.6 : 1 + random() / 3,
					unreadShare: 0.02,
					topSource: isIll ? {source: 'Viktor', share: 0.82, p: 0.005} : null, readings, endsAt: null,
				},
			},
		};
	});
};
