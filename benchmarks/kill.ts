/**
 * Many kills of the service: 200 rounds on one folder, or as many as are given, with the outcome as
 * a table: `node benchmarks/kill.ts [ROUNDS] [SEED]`. Exits with 1 if anything acknowledged is lost,
 * doubled, out of order, or different from the replay.
 *
 * Not tested: a power cut. After a kill the operating system still writes its buffers.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {killRounds} from '../test/helpers/kill-rounds.ts';

const [rounds = 200, seed = 1] = process.argv.slice(2).map(Number);
const folder = await mkdtemp(path.join(tmpdir(), 'killed-'));

const {acknowledged, cutOffAndKept, cutOffAndGone, resets, ...rest} = await killRounds({
	rounds,
	seed,
	folder,
	onComparison({rounds: done, acknowledged: soFar, lost}) {
		process.stderr.write(`${done} rounds, ${soFar} acknowledged, ${lost} lost\n`);
	},
});
const {rounds: kills, ...faults} = rest;

const row = (name: string, value: number): string => `| ${name} | ${value} |`;
console.log(['| | |', '| --- | ---: |',
	row('kills −9', kills),
	row('cycles acknowledged', acknowledged),
	row('cut off by a kill, and in the journal', cutOffAndKept),
	row('cut off by a kill, and not in it', cutOffAndGone),
	row('resets', resets),
	row('lost', faults.lost),
	row('doubled', faults.doubled),
	row('out of order', faults.outOfOrder),
	row('with another state id', faults.misnamed),
	row('different from the replay', faults.replayMismatch),
	row('restarts with another state', faults.restartMismatch),
	row('refused', faults.refused)].join('\n'));

if (Object.values(faults).some(Boolean)) {
	// The folder is the evidence.
	console.error(`The journal is kept in ${folder}.`);
	process.exitCode = 1;
} else {
	await rm(folder, {recursive: true});
}
