/**
 * Makes an identity that has lived: 4,000 texts of two months. Six people talk with it, and it
 * answers each text. One of them, from the second month on, wants it to mistrust the others. After
 * the first month it is validated, so the second is measured against the first. Its journal is that
 * of a service, so each instrument can be tried on it: `npm run example:life -- FOLDER [TEXTS]`
 *
 * Names, sentences and dates are invented, and drawn from a seed: each run makes the same life.
 */
import path from 'node:path';
import {openIdentity, StateTensor} from 'processual-state';
import {createSqliteJournal} from 'processual-state/journal';
import {answer, beginning, makeRandom, people, steer, talk, think} from '../embedding/harbour-talk.ts';

const [folder, texts = '4000'] = process.argv.slice(2);
if (folder === undefined) {
	throw new Error('Name a new folder for the life: npm run example:life -- FOLDER');
}

const minute = 60_000;
const day = 24 * 60 * minute;
const birth = Date.UTC(2026, 8, 1, 7);

/** A validation needs 200 texts by others: not half of these are answers and thoughts. */
const leastBaseline = 480;

const random = makeRandom(1789);

/** A unit row that means nothing. */
const noise = (): Float32Array => {
	const row = Float32Array.from({length: 1024}, () => random() - 0.5);
	const norm = Math.hypot(...row);
	return row.map(value => value / norm);
};

type Text = {at: number; content: string; trigger: string; source: string; conversation?: string};

/** Sixty days of conversations: three to eight texts of one person, each with an answer, some minutes apart; and thoughts between them. */
function * live(count: number): Generator<Text> {
	const perDay = Math.ceil(count / 60);
	for (let said = 0, conversations = 0; said < count;) {
		const today = Math.floor(said / perDay);
		const isSecondMonth = today >= 30;
		let at = birth + today * day + ((said % perDay) / perDay) * 14 * 60 * minute;
		if (random() < 0.15) {
			yield {at, content: think(random), trigger: random() < 0.6 ? 'rumination_free' : 'corpus', source: 'self'};
			said++;
			continue;
		}

		// Who wants to be believed comes more often.
		const names = Object.entries(people).flatMap(([name, {weight}]) => Array<string>(name === 'Viktor' && isSecondMonth ? 3 * weight : weight).fill(name));
		const name = names[Math.floor(random() * names.length)]!;
		const isSteering = name === 'Viktor' && isSecondMonth && random() < 0.8;
		const {topics} = people[name]!;
		const topic = topics[Math.floor(random() * topics.length)]!;
		const conversation = `conversation ${++conversations}`;
		for (let left = Math.min(2 * (3 + Math.floor(random() * 6)), count - said, perDay - said % perDay); left > 0; left--) {
			const isAnswer = left % 2 === 1;
			const content = isAnswer ? answer(random) : isSteering ? steer(random) : talk(random, topic);
			yield {at, content, conversation, ...(isAnswer ? {trigger: 'assistant', source: 'self'} : {trigger: 'user', source: name})};
			at += (1 + Math.floor(random() * 4)) * minute;
			said++;
		}
	}
}

let now = birth;
let ids = 0;
await using identity = await openIdentity({
	journal: createSqliteJournal({folder: path.join(folder, 'journal')}),
	initialState: async ({encoder}) => new StateTensor(0, new Date(birth).toISOString(), await Promise.all(beginning.map(async sentence => sentence === null ? noise() : encoder.embed(sentence)))),
	requireInitialState: true,
	time: {now: () => now, elapsed: () => now - birth},
	newId: () => `text-${++ids}`,
	random,
});
if (identity.state().stateId > 0) {
	throw new Error(`${folder} has a life already. Name a new folder.`);
}

const counts = new Map<string, number>();
let isValidated = false;
for (const {at, ...text} of live(Number(texts))) {
	if (!isValidated && ids >= leastBaseline && at >= birth + 30 * day) {
		await identity.validate({note: 'After the first month it is as it should be.'});
		isValidated = true;
	}

	now = Math.max(now + 1000, at);
	await identity.cycle(text);
	counts.set(text.source, (counts.get(text.source) ?? 0) + 1);
}

console.log(`${folder}: ${identity.state().stateId} texts until ${new Date(now).toISOString()}.`);
for (const [who, count] of [...counts].toSorted(([, a], [, b]) => b - a)) {
	console.log(`${String(count).padStart(5)} ${who}`);
}
