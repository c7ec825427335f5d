// @ts-check
/**
 * An identity in Claude Code: the hook of `UserPromptSubmit` and `Stop`. It reads the event from the standard input. The
 * person's name is SOURCE, or else that of the machine's user.
 */
import {userInfo} from 'node:os';
import {json} from 'node:stream/consumers';
import {connectIdentity} from 'processual-state/client';
import {listenWith} from 'processual-state/tools';

/** @typedef {import('@anthropic-ai/claude-agent-sdk').UserPromptSubmitHookInput} Prompt */
/** @typedef {import('@anthropic-ai/claude-agent-sdk').StopHookInput} Stop */
/** @typedef {import('@anthropic-ai/claude-agent-sdk').SyncHookJSONOutput} Output */

/** Undefined for a user without a name, as in a container. */
const nameOfUser = () => {
	try {
		return userInfo().username;
	} catch {
		return undefined;
	}
};

/** Claude Code shows this to its user, so it is one sentence about their settings. @param {unknown} error */
const report = error => {
	const {message = String(error), cause} = error instanceof Error ? error : {};
	const reason = /** @type {{status?: number} | undefined} */ (cause)?.status === 401
		? 'The service requires a token: set PROCESSUAL_TOKEN.'
		: message;
	process.stderr.write(`The identity was left out of a conversation: ${reason}\n`);
};

const hear = async () => {
	const {PROCESSUAL_URL, PROCESSUAL_TOKEN, IDENTITY, SOURCE} = process.env;
	// An empty variable counts as unset.
	const identity = connectIdentity({
		baseUrl: PROCESSUAL_URL || 'http://localhost:8100', token: PROCESSUAL_TOKEN || undefined, identity: IDENTITY || undefined,
	});
	const listener = listenWith(identity, {onError: report});
	const event = /** @type {Prompt | Stop} */ (await json(process.stdin));
	const conversation = event.session_id;
	if (event.hook_event_name === 'Stop') {
		await listener.speak(event.last_assistant_message ?? '', {conversation});
	} else {
		// A prompt from a schedule or another program is not the person's.
		const isPerson = event.source === undefined || event.source === 'user';
		const source = isPerson ? SOURCE || nameOfUser() : event.source;
		// In parallel, since the prompt waits for both, even if the service never answers.
		const [additionalContext] = await Promise.all([listener.describe(), listener.hear(event.prompt, {source, conversation})]);
		if (additionalContext !== null) {
			/** @type {Output} */
			const output = {hookSpecificOutput: {hookEventName: 'UserPromptSubmit', additionalContext}};
			process.stdout.write(JSON.stringify(output));
		}
	}

	await identity.dispose();
};

await hear().catch(error => {
	report(error);
	process.exitCode = 1;
});
