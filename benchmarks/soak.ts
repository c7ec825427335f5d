/**
 * Whether the memory of the real service grows under half an hour of cycles and reads, or the given
 * minutes: `node benchmarks/soak.ts [MINUTES]`. Reads /proc, so it runs on Linux.
 *
 * The slope is that of least squares through the resident memory of the last two thirds; the
 * first third is warm-up. A short soak says little: in one minute, a heap that varies by 20 MB
 * gives a slope of hundreds of MB per hour. Afterwards the service rests, which shows how much of
 * the memory it keeps.
 */
import {mkdtemp, rm, stat} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout} from 'node:timers/promises';
import {JournalReader} from '../src/journal/sqlite/journal-reader.ts';
import {postCycle, startServer} from '../test/helpers/server-process.ts';
import {residentOf} from './process-use.ts';

const minutes = Number(process.argv[2] ?? 30);
const clients = 4;
const readEveryMs = 50;
const reads = ['/health', '/state', '/daemon/status', '/vigilance', '/metrics', '/profile'];
const restMs = Math.min(30_000, minutes * 60_000);
const sampleMs = Math.min(10_000, minutes * 60_000 / 30);

/** Hours since the start, and MB resident. */
type Sample = {hours: number; megabytes: number};

/** Least squares: MB per hour. */
const slopeOf = (samples: Sample[]): number => {
	const mean = (of: (sample: Sample) => number): number => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length;
	const hours = mean(sample => sample.hours);
	const megabytes = mean(sample => sample.megabytes);
	return mean(sample => (sample.hours - hours) * (sample.megabytes - megabytes)) / mean(sample => (sample.hours - hours) ** 2);
};

const folder = await mkdtemp(path.join(tmpdir(), 'soak-'));
try {
	await using server = startServer(folder);
	const url = await server.ready();
	const began = performance.now();
	const isOver = (): boolean => performance.now() - began > minutes * 60_000;
	let cycles = 0;
	let errors = 0;

	const think = async (client: number): Promise<void> => {
		while (!isOver()) {
			const {status} = await postCycle(url, `Client ${client} thinks for the ${cycles}th time.`).catch(() => ({status: 0}));
			if (status === 200) {
				cycles++;
			} else {
				errors++;
				// Otherwise a service that has ended would be asked in a busy loop.
				await setTimeout(100);
			}
		}
	};

	const look = async (): Promise<void> => {
		for (let n = 0; !isOver(); n++) {
			const isAnswered = await fetch(`${url}${reads[n % reads.length]}`).then(async response => {
				await response.arrayBuffer();
				return response.ok;
			}, () => false);
			errors += Number(!isAnswered);
			await setTimeout(readEveryMs);
		}
	};

	const samples: Sample[] = [];
	const sample = async (): Promise<void> => {
		while (!isOver()) {
			await setTimeout(sampleMs);
			const megabytes = residentOf(server.pid);
			samples.push({hours: (performance.now() - began) / 3_600_000, megabytes});
			process.stderr.write(`${Math.round((performance.now() - began) / 1000)} s: ${megabytes.toFixed(1)} MB, ${cycles} cycles, ${errors} errors\n`);
		}
	};

	await Promise.all([...Array.from({length: clients}, async (_, client) => think(client)), look(), sample()]);
	await setTimeout(restMs);
	const rested = residentOf(server.pid);
	const {code} = await server.stop();
	const settled = samples.slice(Math.ceil(samples.length / 3));
	const {size} = await stat(path.join(folder, 'journal', 'journal.sqlite'));
	using reader = new JournalReader(path.join(folder, 'journal'));
	const resident = settled.map(({megabytes}) => megabytes);
	console.log(`| minutes | cycles | per second | errors | exit code | MB resident, least–most | MB per hour | MB after ${restMs / 1000} s of rest | records | journal's bytes per cycle |
| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| ${minutes} | ${cycles} | ${(cycles / minutes / 60).toFixed(1)} | ${errors} | ${code} | ${Math.min(...resident).toFixed(1)}–${Math.max(...resident).toFixed(1)} | ${slopeOf(settled).toFixed(1)} | ${rested.toFixed(1)} | ${reader.records} | ${Math.round(size / cycles)} |`);
	process.exitCode = Number(errors > 0 || code !== 0);
} finally {
	await rm(folder, {recursive: true});
}
