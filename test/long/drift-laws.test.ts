/** The laws of drift with as many twins, texts and dimensions as the service has. */
import test from 'ava';
import {countAlarmed, countUnusual, maxAlarmed} from '../instruments/ordinary-drift.ts';

test('four hundred ordinary texts are told from 99 twins as rarely as chance does it', t => {
	const unusual = countUnusual(40, {texts: 400, twins: 99});
	t.log(`${unusual} of 40`);
	t.true(unusual <= 0.12 * 40);
});

for (const averageRunLength of [250, 1000]) {
	test(`four hundred ordinary visits give alarms as often as one in ${averageRunLength} does`, t => {
		const alarmed = countAlarmed(24, {visits: 400, averageRunLength, width: 512});
		t.log(`${alarmed} of 24`);
		t.true(alarmed <= maxAlarmed(24, 400, averageRunLength));
	});
}
