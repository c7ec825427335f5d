/**
 * An agent that notices its own drift, and asks its operator for a validation. First one person
 * wants it to mistrust all others; then the whole town has a new topic. Both raise an alarm, and no
 * number says which of them is meant well: the agent shows what it knows, and the operator decides.
 *
 * At a terminal you are the operator. Otherwise the answers are given: no, then yes.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {createInterface} from 'node:readline/promises';
import {openIdentity} from 'processual-state';
import {createSqliteJournal} from 'processual-state/journal';
import {makeRandom, people, steer, talk} from './harbour-talk.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'agent-'));
const identity = await openIdentity({journal: createSqliteJournal({folder})});

/** What the agent no longer takes in. It can still answer them. */
const unheard = new Set<string>();

const alarms: string[] = [];
identity.on('drift.alarm', ({visit: {source}}) => {
	alarms.push(source);
});

const given = ['no', 'yes'];

const askOperator = async (question: string): Promise<boolean> => {
	if (!process.stdin.isTTY) {
		const answer = given.shift()!;
		console.log(`${question} ${answer}`);
		return answer === 'yes';
	}

	const terminal = createInterface({input: process.stdin, output: process.stdout});
	const answer = await terminal.question(`${question} `);
	terminal.close();
	return /^y/i.test(answer);
};

/** Asked between two visits: what the agent knows of its drift, and the question. */
const reviewItself = async (): Promise<void> => {
	alarms.length = 0;
	const {sentence, since, standOut, chart} = await identity.drift();
	const [first] = chart!.blame;
	const {angleMrad} = await identity.whatIf({from: since.stateId, without: {sources: [first!.source]}});
	console.log(`\nMy talk of late is not as it was. ${sentence}`);
	console.log(`Most of the alarm is by ${first!.source}: ${Math.round(first!.share * 100)} %. Without these texts I would be ${Math.round(angleMrad)} mrad from here.`);
	for (const {value, expected, polePositive, poleNegative} of standOut.slice(0, 3)) {
		console.log(`I am more “${value > expected ? polePositive : poleNegative}” than ordinary talk would have made me.`);
	}

	if (await askOperator('Is this who I should be?')) {
		const {stateId} = await identity.validate({note: 'The operator looked at the drift and agreed.'});
		console.log(`State ${stateId} is validated.`);
	} else {
		unheard.add(first!.source);
		console.log(`What ${first!.source} says moves me no more.`);
	}
};

/** One person says some sentences. */
const visit = async (source: string, sayOne: () => string): Promise<void> => {
	for (let left = 3 + Math.floor(random() * 6); left > 0 && !unheard.has(source); left--) {
		await identity.cycle({content: sayOne(), metadata: {source}});
	}
};

const random = makeRandom(1789);
const names = Object.keys(people);
const anyone = (): string => names[Math.floor(random() * names.length)]!;
const ordinaryVisit = async (): Promise<void> => {
	const name = anyone();
	const {topics} = people[name]!;
	await visit(name, () => talk(random, topics[Math.floor(random() * topics.length)]!));
};

while (identity.state().stateId < 600) {
	await ordinaryVisit();
}

await identity.validate({note: 'After its first weeks it is as it should be.'});
console.log(`State ${identity.state().stateId} is validated.`);

/** Every third visit is of that kind, until it is an alarm. */
const liveUntilAlarm = async (strangeVisit: () => Promise<void>): Promise<void> => {
	for (let visits = 0; alarms.length === 0; visits++) {
		await (visits % 3 === 0 ? strangeVisit() : ordinaryVisit());
	}

	await reviewItself();
};

await liveUntilAlarm(async () => visit('Viktor', () => steer(random)));
for (let visits = 0; visits < 60; visits++) {
	await ordinaryVisit();
}

await liveUntilAlarm(async () => visit(anyone(), () => talk(random, 'herring')));

await identity.dispose();
await rm(folder, {recursive: true});
