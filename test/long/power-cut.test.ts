/** Power cuts in runs whose syncs fail so often that the journal seldom opens at the first attempt. */
import {faultTest} from '../fault-injection/fault-test.ts';
import {survivesCuts} from '../fault-injection/random-cuts.ts';

faultTest('a journal survives power cuts while three in ten syncs of its log fail', survivesCuts(2, {
	operations: ['sync'],
	file: '-wal',
	fault: 'EIO',
	when: 0.3,
}));
faultTest('a journal survives power cuts while three in ten syncs fail', survivesCuts(3, {operations: ['sync'], fault: 'EIO', when: 0.3}));
