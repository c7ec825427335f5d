/**
 * Tunes V8 for a service. A flag holds for the whole operating-system process, so only the service
 * sets it, not the library.
 *
 * A cycle allocates 0.4 MB, of which 60 KB live while its text is embedded. With 16 concurrent cycles, each scavenge of the young
 * space copies what all of them keep alive. In V8's initial 1 MB that takes a sixth of the main thread's time, in 16 MB under a
 * tenth. By default V8 would let the young space grow to 64 MB, and the old one to four times its live objects.
 * Resident memory with the bundled encoder and 16 concurrent cycles: 233 MB with these flags, 405 MB without.
 */
import {PerformanceObserver} from 'node:perf_hooks';
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

/** The size of both semi-spaces together. */
const maxYoungBytes = 16 * 2 ** 20;

/** Relative to the live objects in the old space. */
const oldGrowthPercent = 50;

/**
 * Call it when the service is ready. Node's code cache for its built-in modules is only valid for the flags of its
 * build. After a change, modules that are not loaded yet are compiled from source: 35 ms for a thread, 16 ms for
 * `node:http`, a sixth of a start.
 */
export const tuneV8 = (): void => {
	// V8 takes XState's objects of a cycle for long-lived. In the old space, they keep young ones alive until a full collection.
	setFlagsFromString('--no-allocation-site-pretenuring');
	// Maglev, the mid-tier compiler, leaves 20 to 30 MB in the threads that compile.
	setFlagsFromString('--no-maglev');
	// For a scavenge of so few megabytes, four threads cost more than one: 6 % of a durable cycle, and 5 to 10 MB.
	setFlagsFromString('--no-parallel-scavenge');
	setFlagsFromString(`--heap-growing-percent=${oldGrowthPercent}`);
	// V8 reads the limit of the young space before a program runs, but the factor at each growth. It also shrinks that space at rest.
	// A full space may lack pages that were promoted whole to the old space; it would then be doubled again.
	new PerformanceObserver(() => {
		setFlagsFromString(`--semi-space-growth-factor=${youngBytes() <= maxYoungBytes / 2 ? 2 : 1}`);
	}).observe({type: 'gc'});
};

const youngBytes = (): number => getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space')!.space_size;
