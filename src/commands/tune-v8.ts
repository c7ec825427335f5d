/**
 * Tunes V8 for a service. A flag holds for the whole operating-system process, so only the service
 * sets it, not the library. Resident after 1,000 cycles one by one: 154 MB, without the last 155 to 177, and
 * without the last three some 60 more.
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
 * A limit of the young space: V8 would let it grow to 64 MB for the 0.24 MB that a cycle allocates. With
 * 16 cycles at once, a limit of 8 MB takes about 0.1 ms of processor time a cycle, and one of 2 MB twice that.
 *
 * A full collection when the old space has grown by half: V8 would wait for up to four times what lives in it, and
 * each cycle leaves some 20 KB of dead objects there, and 8 KB outside the heap.
 */
import {PerformanceObserver} from 'node:perf_hooks';
import {getHeapSpaceStatistics, setFlagsFromString} from 'node:v8';

/** Both halves of the young space. */
const maxYoungBytes = 8 * 2 ** 20;

/**
 * Call it when the service is ready: Node keeps the compiled code of its own modules for the flags that it
 * was built with. After a change it compiles from source what is still to load: 35 ms for a thread, 16 ms for
 * `node:http`, a sixth of a start.
 */
export const tuneV8 = (): void => {
	setFlagsFromString('--no-allocation-site-pretenuring');
	setFlagsFromString('--no-maglev');
	setFlagsFromString('--heap-growing-percent=50');
	limitYoungSpace();
};

/** The flag for the limit is read before a program runs. The factor of growth is read at each growth. */
const limitYoungSpace = (): void => {
	const observer = new PerformanceObserver(() => {
		const size = getHeapSpaceStatistics().find(({space_name: name}) => name === 'new_space')?.space_size ?? 0;
		if (size >= maxYoungBytes) {
			setFlagsFromString('--semi-space-growth-factor=1');
			observer.disconnect();
		}
	});
	observer.observe({type: 'gc'});
};
