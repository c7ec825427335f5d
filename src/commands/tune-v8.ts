/**
 * Tunes V8 for a service. A flag holds for the whole operating-system process, so only the service
 * sets it, not the library. Resident after 1,000 cycles one by one: 154 MB. Where the old space may grow as V8
 * chooses it is 155 to 177, and with Maglev and without a limit of the young space some 60 more.
 *
 * No pretenuring: V8 records which code allocates long-lived objects, and then allocates those in the
 * old space. Under load it takes XState's objects of a cycle for long-lived. They are dead after the
 * cycle, but a dead old object keeps the young objects that it refers to alive until a full collection.
 * Measured with `--trace-gc-nvp`: of the young objects of cycles 4 % survived each collection, with
 * pretenuring off 0.05 %, and a pause took a fifth of the time; over HTTP 5 % and 1.3 %.
 *
 * No Maglev, the compiler between the quick one and the best: its work leaves 20 to 30 MB in the threads
 * that compile. Without it the first 3,000 cycles take about 0.3 ms more each, and later ones the same.
 *
 * A limit of the young space, and a full collection when the old space has grown by half, unless the service is
 * busy: V8 would let the one grow to 64 MB for the 0.24 MB that a cycle allocates, and the other to four times what
 * lives in it. The bundled encoder allows a few hundred cycles a second, which take the same time with both. Without
 * it there are thousands, and both would double their time: then V8 takes 300 MB, and gives them back some 20 s after.
 *
 * A full collection soon after the start: V8 applies the old space's growth from the first one on, and without it
 * makes that one at 40 MB. After a minute of 16 connections 162 instead of 190 MB are resident.
 *
 * A full collection when a service that had work comes to rest: V8 often makes none while nothing is allocated. After
 * some minutes of cycles 146 instead of 170 MB are resident then.
 */
import {constants, PerformanceObserver, type NodeGCPerformanceDetail, type PerformanceEntry} from 'node:perf_hooks';
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';

/** Both halves of the young space, while the service is not busy. */
const maxYoungBytes = 8 * 2 ** 20;

/**
 * When a service is busy: from when the newest ten collections of the young space came in `busyMs`, until they take
 * `calmMs`. The bundled encoder causes ten in 500 ms at most, on two cores.
 */
export type Pace = {busyMs: number; calmMs: number};

/** So many collections of the young space show how busy a service is, and that it had work. */
const collections = 10;

/** Returns a function that takes when collections began, in order, and says whether the service is busy. */
export const createPace = ({busyMs, calmMs}: Pace = {busyMs: 250, calmMs: 400}): (starts: readonly number[]) => boolean => {
	let newest: number[] = [];
	let isBusy = false;
	return starts => {
		newest = [...newest, ...starts].slice(-collections);
		isBusy = newest.length === collections && newest.at(-1)! - newest[0]! < (isBusy ? calmMs : busyMs);
		return isBusy;
	};
};

/** When a service is busy, and when it collects: milliseconds after its start, and after the last of its work. */
export type Tuning = {pace?: Pace; startMs?: number; restMs?: number};

/**
 * Call it when the service is ready: Node keeps compiled code of Node's modules for the flags that it was built
 * with. After a change it compiles from source what is still to load: 35 ms for a thread, 16 ms for `node:http`, a
 * sixth of a start. A full collection takes some 30 ms, which a first answer does not wait for.
 */
export const tuneV8 = ({pace, startMs = 1000, restMs = 10_000}: Tuning = {}): void => {
	setFlagsFromString('--no-allocation-site-pretenuring');
	setFlagsFromString('--no-maglev');
	const limitGrowth = createGrowthLimit(createPace(pace));
	const collectAtRest = createRest(restMs);
	new PerformanceObserver(list => {
		const starts = list.getEntries().filter(isOfYoungSpace).map(({startTime}) => startTime);
		limitGrowth(starts);
		collectAtRest(starts.length);
	}).observe({type: 'gc'});
	setTimeout(collectAll, startMs).unref();
};

/** Node offers no call for it without a flag at its start. */
const collectAll = (): void => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	setFlagsFromString('--no-expose-gc');
	collect();
};

/** Returns a function that takes how often the young space was collected; `restMs` after the last time it collects all. */
const createRest = (restMs: number): (count: number) => void => {
	let count = 0;
	const timer = setTimeout(() => {
		if (count >= collections) {
			count = 0;
			collectAll();
		}
	}, restMs).unref();

	return newest => {
		count += newest;
		timer.refresh();
	};
};

/**
 * Returns a function that takes when collections of the young space began. V8 reads the limit of that space before a
 * program runs, and the factors at each growth.
 */
const createGrowthLimit = (pace: ReturnType<typeof createPace>): (starts: readonly number[]) => void => {
	// Zero is V8's choice.
	const growOld = createFlag('--heap-growing-percent', 50);
	const growYoung = createFlag('--semi-space-growth-factor', 2);
	return starts => {
		const isYoungSmall = youngBytes() < maxYoungBytes;
		// A small one is collected often, whatever the service does.
		const isBusy = pace(isYoungSmall ? [] : starts);
		growOld(isBusy ? 0 : 50);
		growYoung(isBusy || isYoungSmall ? 2 : 1);
	};
};

/** Sets a flag of V8, then again whenever its value changes. */
const createFlag = (name: string, first: number): (value: number) => void => {
	let current: number | undefined;
	const set = (value: number): void => {
		if (value !== current) {
			current = value;
			setFlagsFromString(`${name}=${value}`);
		}
	};

	set(first);
	return set;
};

const isOfYoungSpace = ({detail}: PerformanceEntry & {detail?: NodeGCPerformanceDetail}): boolean => detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR;

const youngBytes = (): number => getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space')?.space_size ?? 0;
