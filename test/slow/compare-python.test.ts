/**
 * `processual compare` between this service and one in FastAPI and NumPy that shares no code with it. Debian has its
 * packages, which `.ci/run` installs; without them the test is skipped.
 */
import test from 'ava';
import {peerVersions, startOurs, startPeer} from '../../benchmarks/peer/service/contestants.ts';
import {writeWorld} from '../../benchmarks/peer/service/world.ts';
import {compare} from '../../src/commands/compare.ts';
import {readSettings} from '../../src/commands/read-settings.ts';
import {temporaryFolder} from '../journal/records.ts';

/** The bits of a float64 that a float32 does not determine, and 6 more for sums in another order. */
const undecidedBits = 53 - 24 + 6;

const withPython = peerVersions() ? test : test.skip;

withPython('a service in Python gives the same answers at every endpoint, up to the last bits of a float32', async t => {
	const world = await temporaryFolder(t);
	writeWorld(world);
	await using ours = await startOurs(world);
	await using theirs = await startPeer(world, {tuned: false, ready: false});
	const {text} = await compare(readSettings({PROCESSUAL_URL: ours.url}, {}), theirs.url, {reset: true});
	t.log(text);
	t.is(text.match(/^ {2}(GET|POST) /gm)!.length, 11);
	t.regex(text, /POST \/cycle +13 asked/);
	const differences = text.split('\n').filter(line => line.startsWith('    '));
	for (const line of differences) {
		const [, bits] = /differs in the last (\d+) of 53 bits/.exec(line) ?? [];
		t.true(Number(bits) <= undecidedBits, line);
	}
});
