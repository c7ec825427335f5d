/** After a power cut at any moment of a run with failing writes and syncs, acknowledged records are there, and rejected ones are not. */
import {faultTest} from './fault-test.ts';
import {survivesCuts} from './random-cuts.ts';

faultTest('outcomes survive power cuts', survivesCuts(1));
faultTest('outcomes survive power cuts and failing log syncs', survivesCuts(
	2, {operations: ['sync'], file: '-wal', fault: 'EIO', when: 0.2},
));
// Each failure makes the journal open again, which syncs more often: `test/long` has the higher rate.
faultTest('outcomes survive power cuts and failing syncs', survivesCuts(3, {operations: ['sync'], fault: 'EIO', when: 0.16}));
faultTest('outcomes survive power cuts and failing or torn writes', survivesCuts(
	4, {operations: ['write'], file: '-wal', fault: 'EIO', when: 0.02}, {operations: ['write'], file: '-wal', fault: 'torn', when: 0.02},
));
