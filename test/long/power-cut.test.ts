/** Power cuts in runs whose syncs fail so often that the journal seldom opens at once. */
import {faultTest} from '../fault-injection/fault-test.ts';
import {survivesCuts} from '../fault-injection/random-cuts.ts';

faultTest('where syncs of the log fail, three times in ten', survivesCuts(2, {
	operations: ['sync'],
	file: '-wal',
	fault: 'EIO',
	when: 0.3,
}));
faultTest('where any sync fails, three times in ten', survivesCuts(3, {operations: ['sync'], fault: 'EIO', when: 0.3}));
