/**
 * The running program: CPU, memory, event loop and garbage collection, under the names that
 * Prometheus's client libraries share, so that ready dashboards find them.
 *
 * They are not prom-client's own default metrics, because those cannot be ended: their observer
 * and their sampling timer would outlive every telemetry that is closed. The sampler's interval,
 * which is part of what it reports, is taken off here, so that an idle loop has no lag.
 */
import {readdirSync} from 'node:fs';
import {constants, monitorEventLoopDelay, performance, PerformanceObserver, type PerformanceEntry} from 'node:perf_hooks';
import {Counter, Gauge, Histogram, type Registry} from 'prom-client';

/** Milliseconds between two samples of the event loop. */
const resolution = 20;

type Collection = PerformanceEntry & {detail: {kind: number}};

const kinds: Record<number, string> = {
	[constants.NODE_PERFORMANCE_GC_MAJOR]: 'major',
	[constants.NODE_PERFORMANCE_GC_MINOR]: 'minor',
	[constants.NODE_PERFORMANCE_GC_INCREMENTAL]: 'incremental',
	[constants.NODE_PERFORMANCE_GC_WEAKCB]: 'weakcb',
};

/** Measures from now on, until the function that it returns is called. */
export const measureRuntime = (registry: Registry): (() => void) => {
	const gauge = (name: string, help: string, read: () => number): void => {
		registry.registerMetric(new Gauge({
			name,
			help,
			registers: [],
			collect() {
				this.set(read());
			},
		}));
	};

	/** Of something that counts by itself. */
	const counter = (name: string, help: string, read: () => number): void => {
		registry.registerMetric(new Counter({
			name,
			help,
			registers: [],
			collect() {
				this.reset();
				this.inc(read());
			},
		}));
	};

	const microseconds = 1e-6;
	counter('process_cpu_user_seconds_total', 'User CPU time of the program.', () => process.cpuUsage().user * microseconds);
	counter('process_cpu_system_seconds_total', 'System CPU time of the program.', () => process.cpuUsage().system * microseconds);
	counter('process_cpu_seconds_total', 'CPU time of the program, user and system.', () => {
		const {user, system} = process.cpuUsage();
		return (user + system) * microseconds;
	});
	const startedAt = (Date.now() / 1000) - process.uptime();
	gauge('process_start_time_seconds', 'When the program started, since the epoch.', () => startedAt);
	gauge('process_resident_memory_bytes', 'Resident memory of the program.', () => process.memoryUsage.rss());
	gauge('nodejs_heap_size_total_bytes', 'Heap that is reserved.', () => process.memoryUsage().heapTotal);
	gauge('nodejs_heap_size_used_bytes', 'Heap that is used.', () => process.memoryUsage().heapUsed);
	gauge('nodejs_external_memory_bytes', 'Memory outside of the heap that its objects hold, WebAssembly’s too.', () => process.memoryUsage().external);
	if (process.platform === 'linux') {
		gauge('process_open_fds', 'Open file descriptors.', () => readdirSync('/proc/self/fd').length);
	}

	registry.registerMetric(new Gauge({
		name: 'nodejs_active_resources',
		help: 'What keeps the program alive, by kind.',
		labelNames: ['type'],
		registers: [],
		collect() {
			this.reset();
			for (const type of process.getActiveResourcesInfo()) {
				this.inc({type});
			}
		},
	}));
	const version = new Gauge({name: 'nodejs_version_info', help: 'The version of Node.js.', labelNames: ['version'], registers: [registry]});
	version.set({version: process.version}, 1);

	counter('nodejs_eventloop_active_seconds_total', 'Time that the event loop was at work.', () => performance.eventLoopUtilization().active / 1000);
	counter('nodejs_eventloop_idle_seconds_total', 'Time that the event loop waited for something to do.', () => performance.eventLoopUtilization().idle / 1000);

	const delay = monitorEventLoopDelay({resolution});
	delay.enable();
	const lag = (name: string, help: string, read: () => number): void => {
		gauge(name, `${help} of the event loop’s lag since the last reading.`, () => delay.count === 0 ? 0 : Math.max(0, (read() / 1e9) - (resolution / 1000)));
	};

	lag('nodejs_eventloop_lag_mean_seconds', 'Mean', () => delay.mean);
	lag('nodejs_eventloop_lag_p50_seconds', 'Median', () => delay.percentile(50));
	lag('nodejs_eventloop_lag_p99_seconds', '99th percentile', () => delay.percentile(99));
	lag('nodejs_eventloop_lag_max_seconds', 'Maximum', () => {
		const {max} = delay;
		delay.reset();
		return max;
	});

	const durations = new Histogram({
		name: 'nodejs_gc_duration_seconds',
		help: 'Pauses for garbage collection, by kind.',
		labelNames: ['kind'],
		buckets: [0.0001, 0.001, 0.01, 0.1, 1],
		registers: [registry],
	});
	for (const kind of Object.values(kinds)) {
		durations.zero({kind});
	}

	const observer = new PerformanceObserver((list) => {
		for (const {duration, detail} of list.getEntries() as Collection[]) {
			durations.observe({kind: kinds[detail.kind] ?? 'other'}, duration / 1000);
		}
	});
	observer.observe({entryTypes: ['gc']});

	return () => {
		observer.disconnect();
		delay.disable();
	};
};
