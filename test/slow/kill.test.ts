/** The real service under kill −9: what it acknowledged is kept, once, in order, and bit for bit. */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {killRounds} from '../helpers/kill-rounds.ts';

const rounds = 40;

test('kills lose, double and reorder nothing, and each start resumes from the replayed state, bit for bit', async t => {
	const folder = await mkdtemp(path.join(tmpdir(), 'killed-'));
	t.teardown(async () => rm(folder, {recursive: true}));
	const {acknowledged, cutOffAndKept, cutOffAndGone, resets, ...rest} = await killRounds({rounds, seed: 40, folder});
	t.log(`${acknowledged} acknowledged; cut off: ${cutOffAndKept} kept, ${cutOffAndGone} gone; ${resets} resets`);
	t.true(acknowledged > 2.5 * rounds && resets > 0 && cutOffAndGone > 0, 'the kills hit a busy service');
	t.deepEqual(
		rest,
		{rounds, lost: 0, doubled: 0, refusedAndKept: 0, outOfOrder: 0, misnamed: 0, replayMismatch: 0, restartMismatch: 0, refused: 0},
	);
});
