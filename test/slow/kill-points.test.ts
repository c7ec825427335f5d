/** Killed at its writes, each start can be repeated, and nothing that was acknowledged is lost. */
import type {ExecutionContext} from 'ava';
import {faultTest} from '../fault-injection/fault-test.ts';
import {journalScenarios} from '../fault-injection/journal-scenarios.ts';
import {cutEverywhere, type Scenario} from '../fault-injection/kill-points.ts';
import {often} from '../helpers/often.ts';

const survives = (scenario: Scenario) => async (t: ExecutionContext): Promise<void> => {
	const {operations, kills, missed, wrong} = await cutEverywhere(scenario, {every: often(7, 1)});
	t.log(`${kills} kills at ${operations} operations`);
	t.true(kills > 10 && missed === 0, 'the kills met what they were for');
	t.deepEqual(wrong, []);
};

faultTest('a first start of a journal that was killed can be repeated', survives(journalScenarios.firstStart));
faultTest('a creation that was killed leaves a whole identity or a free name', survives(journalScenarios.creation));
faultTest('appending that was killed keeps what was acknowledged', survives(journalScenarios.append));
faultTest('forgetting that was killed is done or not begun, and no byte is left where it is done', survives(journalScenarios.forgetting));
faultTest('forgetting with keys that was killed is done, keys destroyed, or not begun', survives(journalScenarios.forgettingWithKeys));
faultTest('texts whose keys were being made when it was killed are there or not said', survives(journalScenarios.sayingWithKeys));
faultTest('a hold, its texts and their release that were killed are each done or not begun', survives(journalScenarios.holding));
faultTest('compaction that was killed keeps all', survives(journalScenarios.compaction));
