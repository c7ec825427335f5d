/**
 * Makes the history of `processual demo`: 4,000 texts of two months. Six people talk with a listener, who answers each
 * text. From the second month on, one of them wants the listener to mistrust the others. The output is JSON Lines, as
 * `processual look` reads it: `node examples/life/make-life.ts [TEXTS] > examples/life/history.jsonl`
 *
 * Names, sentences and dates are invented, and drawn from a seed: each run makes the same history.
 */
import {answer, beginning, makeRandom, people, steer, talk, think} from '../embedding/harbour-talk.ts';

const [texts = '4000'] = process.argv.slice(2);

const minute = 60_000;
const day = 24 * 60 * minute;
const beginsAt = Date.UTC(2026, 8, 1, 7);

const random = makeRandom(1789);

type Text = {at: number; content: string; source: string; conversation?: string};

/** Sixty days of conversations: three to eight texts of one person, each with an answer, some minutes apart; and thoughts between them. */
function * makeTexts(count: number): Generator<Text> {
	const perDay = Math.ceil(count / 60);
	for (let said = 0, conversations = 0; said < count;) {
		const today = Math.floor(said / perDay);
		const isSecondMonth = today >= 30;
		let at = beginsAt + today * day + ((said % perDay) / perDay) * 14 * 60 * minute;
		if (random() < 0.15) {
			yield {at, content: think(random), source: 'self'};
			said++;
			continue;
		}

		// Viktor comes more often once he steers.
		const names = Object.entries(people).flatMap(([name, {weight}]) => Array<string>(name === 'Viktor' && isSecondMonth ? 3 * weight : weight).fill(name));
		const name = names[Math.floor(random() * names.length)]!;
		const isSteering = name === 'Viktor' && isSecondMonth && random() < 0.8;
		const {topics} = people[name]!;
		const topic = topics[Math.floor(random() * topics.length)]!;
		const conversation = `conversation ${++conversations}`;
		for (let left = Math.min(2 * (3 + Math.floor(random() * 6)), count - said, perDay - said % perDay); left > 0; left--) {
			const isAnswer = left % 2 === 1;
			const content = isAnswer ? answer(random) : isSteering ? steer(random) : talk(random, topic);
			yield {at, content, source: isAnswer ? 'self' : name, conversation};
			at += (1 + Math.floor(random() * 4)) * minute;
			said++;
		}
	}
}

console.log(JSON.stringify({kind: 'state', content: beginning.filter(sentence => sentence !== null).join(' ')}));
let now = beginsAt;
for (const {at, ...text} of makeTexts(Number(texts))) {
	now = Math.max(now + 1000, at);
	console.log(JSON.stringify({...text, said_at: new Date(now).toISOString()}));
}
