/** Kills at each of the journal's writes: every start can be repeated, and nothing acknowledged is lost. */
import type {ExecutionContext} from 'ava';
import {faultTest} from '../fault-injection/fault-test.ts';
import {journalScenarios} from '../fault-injection/journal-scenarios.ts';
import {cutEverywhere, type Scenario} from '../fault-injection/kill-points.ts';
import {often} from '../helpers/often.ts';

const survives = (scenario: Scenario) => async (t: ExecutionContext): Promise<void> => {
	const {operations, kills, missed, wrong} = await cutEverywhere(scenario, {every: often(7, 1)});
	t.log(`${kills} kills at ${operations} operations`);
	t.true(kills > 10 && missed === 0, 'each kill hit its operation');
	t.deepEqual(wrong, []);
};

faultTest('a killed first start of a journal can be repeated', survives(journalScenarios.firstStart));
faultTest('a killed creation leaves a complete identity or a free name', survives(journalScenarios.creation));
faultTest('a killed append keeps what was acknowledged', survives(journalScenarios.append));
faultTest('a killed forgetting is done or not begun; once done, no byte is left', survives(journalScenarios.forgetting));
faultTest('a killed forgetting with keys is done, with its keys destroyed, or not begun', survives(journalScenarios.forgettingWithKeys));
faultTest('a kill while new sources get keys loses no acknowledged text', survives(journalScenarios.sayingWithKeys));
faultTest('a killed hold, recording of a held text or release is done or not begun', survives(journalScenarios.holding));
faultTest('a killed compaction loses nothing', survives(journalScenarios.compaction));
