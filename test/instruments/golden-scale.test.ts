/** Scales and percentiles agree with golden numbers. */
import test from 'ava';
import {percentileAmong} from '../../src/instruments/percentile.ts';
import {placeOn} from '../../src/instruments/scaled-profile.ts';
import {measureScale} from '../../src/semiosis/scale.ts';
import {casesOf, matchesCase} from '../golden/instruments.ts';

for (const golden of casesOf<{values: number[]; value: number}>('scale')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {values, value} = golden.input;
		const scale = measureScale(values)!;
		matchesCase(t, golden, {...scale, ...placeOn(scale, value)});
	});
}

for (const golden of casesOf<{past: number[]; value: number; least: number}>('percentile')) {
	test(`${golden.id}: ${golden.note}`, t => {
		const {past, value, least} = golden.input;
		matchesCase(t, golden, {percentile: percentileAmong(past, value, least)});
	});
}
