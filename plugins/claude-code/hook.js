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

const {PROCESSUAL_URL, PROCESSUAL_TOKEN, IDENTITY, SOURCE} = process.env;

/** Undefined for a user without a name, as in a container. */
const nameOfUser = () => {
	try {
		return userInfo().username;
	} catch {
		return undefined;
	}
};

/** What Claude Code reads from the standard output. @type {Output} */
const output = {};

/**
 * Claude Code shows a `systemMessage` to its user, and hides the error stream of a hook that succeeds. One sentence about their
 * settings is enough: the other calls of an event fail for the same reason.
 *
 * @param {unknown} error
 */
const report = error => {
	const {message = String(error), cause} = error instanceof Error ? error : {};
	const reason = /** @type {{status?: number} | undefined} */ (cause)?.status === 401
		? 'The service requires a token: set PROCESSUAL_TOKEN.'
		: message;
	output.systemMessage ??= `The identity was left out of a conversation: ${reason}`;
};

/** Reports of background tasks, and messages of other agents, which Claude Code submits as prompts. */
const byProgram = /^<(?:task-notification|agent-message|cross-session-message|teammate-message)\b/;

/** @param {Prompt} event */
const sourceOf = ({source}) =>
	// `sdk` is the prompt of `claude -p`. A prompt from a schedule is not the person's.
	source === undefined || source === 'user' || source === 'sdk' ? SOURCE || nameOfUser() : source;

const hear = async () => {
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
		const said = byProgram.test(event.prompt) ? '' : event.prompt;
		// In parallel, since the prompt waits for both, even if the service never answers.
		const [additionalContext] = await Promise.all([
			listener.describe(), listener.hear(said, {source: sourceOf(event), conversation}),
		]);
		if (additionalContext !== null) {
			output.hookSpecificOutput = {hookEventName: 'UserPromptSubmit', additionalContext};
		}
	}

	await identity.dispose();
};

await hear().catch(report);
process.stdout.write(JSON.stringify(output));
