/**
 * Injected faults: a random campaign of failing writes and syncs under load, with kills, and then a kill
 * at every write of the operations that create or change a folder: `node benchmarks/faults.ts [ROUNDS]
 * [SEED] [all | edges]`. 0 rounds run the kills alone; `edges` kills only at the first and the last of
 * similar operations in a row. Exits with 1 if anything acknowledged is lost or doubled, anything refused
 * is kept, or a start is refused. Needs Linux and a C compiler.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {runCampaign} from '../test/fault-injection/campaign.ts';
import {startFakeModel} from '../test/fault-injection/fake-model.ts';
import {journalScenarios} from '../test/fault-injection/journal-scenarios.ts';
import {cutEverywhere, killEverywhere, type KillPointFindings} from '../test/fault-injection/kill-points.ts';
import {serviceScenarios} from '../test/fault-injection/service-scenarios.ts';
import {whyNoFaults} from '../test/fault-injection/shim.ts';

if (whyNoFaults !== null) {
	throw new Error(`No faults can be injected here: this ${whyNoFaults}.`);
}

const [rounds = 40, seed = 1] = process.argv.slice(2, 4).map(Number);
const kills = process.argv[4] ?? 'all';
const folder = await mkdtemp(path.join(tmpdir(), 'faults-'));

const campaign = await runCampaign({
	rounds,
	seed,
	folder,
	onRound({rounds: done, acknowledged, lost, refusedAndKept, startsRefused}) {
		process.stderr.write(`${done} rounds, ${acknowledged} acknowledged, ${lost} lost, ${refusedAndKept} refused and kept, ${startsRefused.length} starts refused\n`);
	},
});

const row = (name: string, value: number): string => `| ${name} | ${value} |`;
console.log(['| random campaign | |', '| --- | ---: |',
	row('rounds', campaign.rounds),
	row('kills −9', campaign.kills),
	row('faults injected', campaign.faults),
	row('recovered without a restart', campaign.recovered),
	row('cycles acknowledged', campaign.acknowledged),
	row('answered with an error', campaign.refused),
	row('cut off by a kill, and in the journal', campaign.cutOffAndKept),
	row('cut off by a kill, and not in it', campaign.cutOffAndGone),
	row('lost', campaign.lost),
	row('doubled', campaign.doubled),
	row('answered with an error, and in the journal', campaign.refusedAndKept),
	row('out of order', campaign.outOfOrder),
	row('with another state id', campaign.misnamed),
	row('different from the replay', campaign.replayMismatch),
	row('restarts with another state', campaign.restartMismatch),
	row('starts refused', campaign.startsRefused.length)].join('\n'));
for (const reason of campaign.startsRefused) {
	console.log(reason);
}

console.log('\n| a kill at every write | operations | kills | starts refused, or wrong |\n| --- | ---: | ---: | ---: |');
const found: KillPointFindings[] = [];
const report = (findings: KillPointFindings): void => {
	found.push(findings);
	console.log(`| ${findings.scenario} | ${findings.operations} | ${findings.kills} | ${findings.wrong.length} |`);
};

await using model = await startFakeModel();
for (const scenario of Object.values(journalScenarios)) {
	report(await cutEverywhere(scenario));
}

for (const scenario of serviceScenarios(model)) {
	report(await killEverywhere(scenario, {
		at: kills === 'all' ? 'all' : 'edges',
		onKill(done, all) {
			process.stderr.write(`${scenario.name}: ${done} of ${all} kills\n`);
		},
	}));
}

for (const {scenario, wrong} of found) {
	for (const {kill: {at, how}, operation, what} of wrong) {
		console.log(`${scenario}, ${how === 'half' ? 'halfway through' : 'before'} operation ${at}, ${operation}: ${what}`);
	}
}

const {lost, doubled, refusedAndKept, outOfOrder, misnamed, replayMismatch, restartMismatch, startsRefused} = campaign;
if ([lost, doubled, refusedAndKept, outOfOrder, misnamed, replayMismatch, restartMismatch, startsRefused.length, ...found.map(({wrong}) => wrong.length)].some(Boolean)) {
	console.error(`The journals of the campaign are kept in ${folder}.`);
	process.exitCode = 1;
} else {
	await rm(folder, {recursive: true});
}
