/** The real service under load on a failing disk, killed now and then: `npm run bench:faults` is the long version. */
import {mkdtemp} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {runCampaign} from '../fault-injection/campaign.ts';
import {faultTest} from '../fault-injection/fault-test.ts';

// The first round of this seed fails the sync of a commit and the one after it.
faultTest('failing writes and syncs lose and double nothing that was acknowledged, and keep nothing that was refused', async t => {
	const {rounds, kills, faults, acknowledged, refused, recovered, cutOffAndKept, cutOffAndGone, ...rest} = await runCampaign({
		rounds: 4,
		seed: 1,
		folder: await mkdtemp(path.join(tmpdir(), 'campaign-')),
	});
	t.log(
		`${rounds} rounds, ${kills} kills, ${faults} faults: ${acknowledged} acknowledged, ${refused} refused, ${recovered} `
			+ `recovered; cut off: ${cutOffAndKept} kept, ${cutOffAndGone} gone`,
	);
	t.true(faults > 0 && kills > 0 && refused > 0 && recovered > 0 && acknowledged > 40, 'the faults hit a busy service');
	t.deepEqual(rest, {
		lost: 0,
		doubled: 0,
		refusedAndKept: 0,
		outOfOrder: 0,
		misnamed: 0,
		replayMismatch: 0,
		restartMismatch: 0,
		startsRefused: [],
	});
});
