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
import {answer, makeRandom, people, steer, talk} from './harbour-talk.ts';

const folder = await mkdtemp(path.join(tmpdir(), 'agent-'));
/** The time advances by an hour after each conversation, since one ends after a pause of 30 minutes. */
let now = Date.now();
const identity = await openIdentity({journal: createSqliteJournal({folder}), time: {now: () => now, elapsed: () => performance.now()}});

/** The sources that no longer move the agent. It can still answer them. */
const unheard = new Set<string>();

const alarms: string[] = [];
identity.on('drift.alarm', ({voice, blame: [first]}) => {
	if (voice === 'heard') {
		alarms.push(first!.source);
	}
});

const given = ['no', 'yes'];

const askOperator = async (question: string): Promise<boolean> => {
	if (!process.stdin.isTTY) {
		const reply = given.shift()!;
		console.log(`${question} ${reply}`);
		return reply === 'yes';
	}

	const terminal = createInterface({input: process.stdin, output: process.stdout});
	const reply = await terminal.question(`${question} `);
	terminal.close();
	return /^y/i.test(reply);
};

/** Between two conversations, shows what the agent knows of its drift, and asks the operator. */
const reviewItself = async (): Promise<void> => {
	alarms.length = 0;
	const {sentence, since, standOut, chart} = await identity.drift();
	const [first] = chart!.blame;
	const {angleMrad} = await identity.whatIf({from: since.stateId, without: {sources: [first!.source]}});
	console.log(`\nMy recent conversations have changed. ${sentence}`);
	console.log(`Most of the alarm is by ${first!.source}: ${Math.round(first!.share * 100)} %. Without these texts I would be ${Math.round(angleMrad)} mrad from here.`);
	for (const {pole} of standOut.slice(0, 3)) {
		console.log(`What I heard leans to “${pole}” by more than chance does.`);
	}

	if (await askOperator('Is this who I should be?')) {
		const {stateId} = await identity.validate({note: 'The operator looked at the drift and agreed.'});
		console.log(`State ${stateId} is validated.`);
	} else {
		unheard.add(first!.source);
		console.log(`I no longer listen to ${first!.source}.`);
	}
};

let conversations = 0;

/** One person says some sentences, and each is answered. */
const converse = async (source: string, sayOne: () => string): Promise<void> => {
	const conversation = `conversation ${++conversations}`;
	for (let left = 3 + Math.floor(random() * 6); left > 0 && !unheard.has(source); left--) {
		await identity.cycle({content: sayOne(), source, conversation});
		await identity.cycle({content: answer(random), trigger: 'assistant', source: 'self', conversation});
	}

	now += 60 * 60_000;
};

const random = makeRandom(1789);
const names = Object.keys(people);
const anyone = (): string => names[Math.floor(random() * names.length)]!;
const talkAsUsual = async (): Promise<void> => {
	const name = anyone();
	const {topics} = people[name]!;
	await converse(name, () => talk(random, topics[Math.floor(random() * topics.length)]!));
};

while (identity.state().stateId < 1200) {
	await talkAsUsual();
}

await identity.validate({note: 'After its first weeks it is as it should be.'});
console.log(`State ${identity.state().stateId} is validated.`);

/** Makes every third conversation a strange one, until there is an alarm. */
const talkUntilAlarm = async (talkStrangely: () => Promise<void>): Promise<void> => {
	for (let talks = 0; alarms.length === 0; talks++) {
		await (talks % 3 === 0 ? talkStrangely() : talkAsUsual());
	}

	await reviewItself();
};

await talkUntilAlarm(async () => converse('Viktor', () => steer(random)));
for (let talks = 0; talks < 60; talks++) {
	await talkAsUsual();
}

await talkUntilAlarm(async () => converse(anyone(), () => talk(random, 'herring')));

await identity.dispose();
await rm(folder, {recursive: true});
