/** After a power cut at any moment of a run with failing writes and syncs, acknowledged records are there and rejected ones are not. */
import {faultTest} from './fault-test.ts';
import {survivesCuts} from './random-cuts.ts';

faultTest('without a fault', survivesCuts(1));
faultTest('where syncs of the log fail now and then', survivesCuts(2, {operations: ['sync'], file: '-wal', fault: 'EIO', when: 0.2}));
// Each failure makes the journal open again, which syncs more often: `test/long` has the higher rate.
faultTest('where any sync fails now and then', survivesCuts(3, {operations: ['sync'], fault: 'EIO', when: 0.16}));
faultTest('where writes fail or are torn now and then', survivesCuts(4, {operations: ['write'], file: '-wal', fault: 'EIO', when: 0.02}, {
	operations: ['write'],
	file: '-wal',
	fault: 'torn',
	when: 0.02,
}));
