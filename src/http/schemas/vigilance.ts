/** How far the state has drifted from the reference. */
import {dimensionName} from '../../instruments/answers/dimensions.ts';
import {list, nullableText, number, shape, word} from '../../wire/builders.ts';

export const Vigilance = shape('Vigilance', 'How far the current state has drifted from the reference.', {
	level: word('The alarm.', ['ok', 'warning', 'critical']),
	cumulativeDrift: number('How far the state has moved since its beginning or the last reset: the sum of its steps, each relative to the length of the state.', 0.0021, {minimum: 0}),
	topDriftingDimensions: list('The three dimensions farthest from the reference, farthest first.', dimensionName()),
	message: nullableText('The reason of the level, and what the drift is made of: the path travelled, the cycles that made it, and the net distance from the beginning or the last reset. Every cycle adds to the path, whatever is said. Null at ok.', 'The state has drifted 2.30 % in all, over the critical 2.00 %. Path travelled 2.3 % in 68 cycles; net distance 2.2 %.'),
});
