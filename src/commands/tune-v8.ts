/**
 * Tunes V8 for a service. A flag holds for the whole operating-system process, so only the service
 * sets it, not the library.
 *
 * A cycle allocates 0.4 MB, and 60 KB of it live while its text is embedded. With 16 cycles at once each collection of the young
 * space copies what all of them hold: in the 1 MB that V8 begins with that takes a sixth of the main thread's time, in 16 MB
 * under a tenth. V8 by itself would let that space grow to 64 MB and the old one to four times what lives in it.
 * Resident with the bundled encoder, 16 at once: 233 MB as it is set here, 405 without limits.
 */
import {PerformanceObserver} from 'node:perf_hooks';
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

/** Both halves of the young space. */
const maxYoungBytes = 16 * 2 ** 20;

/** Of what lives in the old space. */
const oldGrowthPercent = 50;

/**
 * Call it when the service is ready: Node keeps compiled code of Node's modules for the flags that it was built
 * with. After a change it compiles from source what is still to load: 35 ms for a thread, 16 ms for `node:http`, a
 * sixth of a start.
 */
export const tuneV8 = (): void => {
	// V8 takes XState's objects of a cycle for long-lived: in the old space they keep young ones until a full collection.
	setFlagsFromString('--no-allocation-site-pretenuring');
	// The compiler between the quick one and the best leaves 20 to 30 MB in the threads that compile.
	setFlagsFromString('--no-maglev');
	// Four threads that share a collection of so few megabytes take more than one does: 6 % of a durable cycle, and 5 to 10 MB.
	setFlagsFromString('--no-parallel-scavenge');
	setFlagsFromString(`--heap-growing-percent=${oldGrowthPercent}`);
	// V8 reads the limit of the young space before a program runs, and the factor at each growth. It also shrinks that space at rest.
	// One that is full may lack pages that became old with all that was on them, and would be doubled again.
	new PerformanceObserver(() => {
		setFlagsFromString(`--semi-space-growth-factor=${youngBytes() <= maxYoungBytes / 2 ? 2 : 1}`);
	}).observe({type: 'gc'});
};

const youngBytes = (): number => getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space')!.space_size;
