/** Gathers the texts of a life into visits, one by one, as the visit chart takes them. */
import type {BaselineText, StoredCycle} from '../journal/journal.ts';
import {fullVisit} from './chart.ts';
import {sourceOf} from './source-of.ts';
import {isSameVisit} from './visits.ts';

/** A visit, as an answer shows it. */
export type LifeVisit = {
	readonly source: string;
	/** How many texts it has. */
	readonly texts: number;
	/** Ids of the newest of them, oldest first, at most 100. */
	readonly ids: readonly string[];
	/** When its first and its last text were said; milliseconds since the epoch. */
	readonly from: number;
	readonly to: number;
};

/** A visit that has ended. */
export type EndedVisit = {
	readonly visit: LifeVisit;
	/** Its mean, as often as it has texts, and at most as often as a visit of full weight: so it counts in the chart as all its texts. */
	readonly vectors: readonly Float32Array[];
};

/** A text, by what a visit needs of it. */
export type VisitText = Pick<BaselineText, 'id' | 'source' | 'time' | 'vector'>;

/** The text of a cycle. */
export const visitTextOf = (cycle: StoredCycle): VisitText => ({id: cycle.id, source: sourceOf(cycle), time: Date.parse(cycle.timestamp), vector: cycle.vector});

/** More ids are not looked at, and one visit may have a million. */
export const maxIds = 100;

/** A visit that may go on, as plain data: its sum, because it may be long. */
export type OpenVisit = {source: string; from: number; time: number; texts: number; ids: string[]; sum: Float64Array};

/** Starts gathering. @param open A visit that was left open. */
export const gatherVisits = (open: OpenVisit | null = null): {take: (text: VisitText) => EndedVisit | null; end: () => EndedVisit | null; open: () => OpenVisit | null} => {
	return {
		/** Takes the next text. @returns the visit before it, if this text has ended it */
		take({id, source, time, vector}) {
			const ended = open && !isSameVisit(open, {source, time}) ? toEnded(open) : null;
			if (!open || ended) {
				open = {source, from: time, time, texts: 0, ids: [], sum: new Float64Array(vector.length)};
			}

			open.time = time;
			open.texts++;
			open.ids.push(id);
			if (open.ids.length > maxIds) {
				open.ids.shift();
			}

			const {sum} = open;
			for (let i = 0; i < sum.length; i++) {
				sum[i]! += vector[i]!;
			}

			return ended;
		},
		/** Ends the open visit. @returns null where there is none */
		end() {
			const ended = open && toEnded(open);
			open = null;
			return ended;
		},
		open: () => open,
	};
};

const toEnded = ({source, from, time, texts, ids, sum}: OpenVisit): EndedVisit => ({
	visit: {source, texts, ids, from, to: time},
	vectors: Array<Float32Array>(Math.min(texts, fullVisit)).fill(divide(sum, texts)),
});

/** A loop takes a thirtieth of the time of `Float32Array.from`. */
const divide = (sum: Float64Array, by: number): Float32Array => {
	const mean = new Float32Array(sum.length);
	for (let i = 0; i < mean.length; i++) {
		mean[i] = sum[i]! / by;
	}

	return mean;
};
