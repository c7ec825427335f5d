/**
 * A chat whose replies depend on the profile: each text moves the state, and the state's profile,
 * put into words, is part of the reply.
 *
 * At a terminal you type; otherwise three sentences are sent for you. With CHAT_URL (the base
 * of any OpenAI-compatible API) and CHAT_MODEL a language model replies with the profile as its
 * self-description. Without them the reply is the profile, in fixed sentences.
 */
import {createInterface} from 'node:readline';
import {openIdentity, type LocalIdentity} from 'processual-state';
import {templateTranslator} from 'processual-state/language';

type ProfileView = ReturnType<LocalIdentity['profile']>;

const {CHAT_URL, CHAT_MODEL} = process.env;

const identity = await openIdentity({translator: templateTranslator});

/** The language model's reply. `self` is the profile in words. */
const ask = async (self: string, said: string): Promise<string> => {
	const response = await fetch(`${CHAT_URL}/chat/completions`, {
		method: 'POST',
		headers: {'Content-Type': 'application/json'},
		body: JSON.stringify({
			model: CHAT_MODEL,
			messages: [
				{role: 'system', content: `You say of yourself: ${self} Let it colour your reply, and do not speak of it.`},
				{role: 'user', content: said},
			],
		}),
	});
	const {choices: [choice]} = await response.json() as {choices: [{message: {content: string}}]};
	return choice.message.content;
};

/** The pole that the state has moved towards most, from one profile to the next. */
const movement = (before: ProfileView, after: ProfileView): string => {
	const moves = Object.entries(after.profile).flatMap(([category, entries]) => Object.entries(entries).map(([name, {value, polePositive, poleNegative}]) => {
		const by = value - before.profile[category]![name]!.value;
		return {by: Math.abs(by), towards: by > 0 ? polePositive : poleNegative};
	}));
	return moves.toSorted((a, b) => b.by - a.by)[0]!.towards;
};

/** All that both say here is one conversation, the unit of chance for drift. */
const conversation = crypto.randomUUID();

const reply = async (said: string): Promise<string> => {
	const before = identity.profile();
	const {stateId} = await identity.cycle({content: said, source: 'user', conversation});
	const {text: self} = await identity.translate({context: said});
	const words = CHAT_URL ? await ask(self, said) : self;
	const moved = movement(before, identity.profile());
	await identity.cycle({content: words, trigger: 'assistant', source: 'self', conversation});
	return `${words} (State ${stateId}: a little more “${moved}”.)`;
};

const lines = process.stdin.isTTY
	? createInterface({input: process.stdin})
	: ['The sea is quiet today.', 'I am not sure that I can trust you.', 'Let us begin again.'];

for await (const line of lines) {
	if (line.trim() !== '') {
		console.log(`> ${line}`);
		console.log(await reply(line));
	}
}

await identity.dispose();
