/** Power cuts in a run whose syncs fail so often that the journal seldom opens at once. */
import {faultTest} from '../fault-injection/fault-test.ts';
import {survivesCuts} from '../fault-injection/random-cuts.ts';

faultTest('where any sync fails, three times in ten', survivesCuts(3, {operations: ['sync'], fault: 'EIO', when: 0.3}));
