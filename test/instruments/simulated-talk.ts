/** Ordinary talk for the tests of drift: visits of six users, who each have three topics. Vectors are drawn, not embedded. */
import type {BaselineText} from '../../src/journal/validation.ts';
import type {Random} from '../../src/platform/clock.ts';
import {normalise} from '../../src/kernel/normalise.ts';
import {unitVector} from './run-texts.ts';

type Options = {
	/** How many numbers of a vector are not 0. */
	width?: number;
	/** The length of a vector. */
	length?: number;
};

const topicCount = 10;

/** Draws the talk of users whose habits do not change. Each call gives the next texts. */
export const startTalk = (random: Random, {width = 64, length = 1024}: Options = {}) => {
	const topics = Array.from({length: topicCount}, (_, topic) => unitVector(500 + topic, width).subarray(0, length));
	const near = (topic: Float32Array): Float32Array => normalise(
		topic.map((value, i) => value + (i < width ? (random() - 0.5) * 3 / Math.sqrt(width) : 0)),
	);
	let time = 0;
	let visits = 0;

	/** One visit: a user, one of three topics, one to twelve texts. */
	const visit = (): BaselineText[] => {
		const user = Math.floor(random() * 6);
		const topic = topics[(user * 2 + Math.floor(random() * 3)) % topicCount]!;
		time += 3_600_000;
		visits++;
		return Array.from({length: 1 + Math.floor(random() * 12)}, (_, k) => ({
			id: `${visits}.${k}`,
			source: `user ${user}`,
			time: time += 60_000,
			vector: near(topic),
			conversation: null,
			isOwn: false,
			isUnread: false,
		}));
	};

	return {
		visit,
		texts(count: number): BaselineText[] {
			const texts: BaselineText[] = [];
			while (texts.length < count) {
				texts.push(...visit());
			}

			return texts.slice(0, count);
		},
	};
};
