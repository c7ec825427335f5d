/**
 * Translates exports of mem0 and Letta to entries of an import: a memory becomes a thought, a
 * message stays a message, and an agent's persona becomes the state to begin with.
 *
 * - mem0: memories as `get_all` returns them. One with a role is a message, stored verbatim.
 * - Letta: an agent file (`*.af`) of either version, messages as the API lists them, and passages
 *   of the archival memory.
 */
import {Type, Value, type Static} from '../../platform/typebox.ts';
import {valueOfJson, requireMatch} from '../../platform/describe-faults.ts';
import {withErrors} from '../../platform/errors.ts';
import {fieldsOf, textOf} from '../history/past-text.ts';

const Maybe = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const Memory = Type.Object({
	memory: Type.String(), role: Maybe, user_id: Maybe, agent_id: Maybe, run_id: Maybe, created_at: Maybe, createdAt: Maybe,
});

/** With graph memory, there is also a list of relations. */
const MemoryPage = Type.Object({results: Type.Array(Type.Object({memory: Type.Unknown()}))});

const Passage = Type.Object({text: Type.String(), created_at: Maybe});

const Content = Type.Optional(
	Type.Union([Type.String(), Type.Null(), Type.Array(Type.Object({type: Type.String(), text: Type.Optional(Type.Unknown())}))]),
);

const ListedMessage = Type.Object({message_type: Type.String(), date: Maybe, content: Content});

const Message = Type.Object({
	role: Type.String(), created_at: Maybe, content: Content,
	tool_calls: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.Unknown())])),
});

const Reply = Type.Object({function: Type.Object({name: Type.Literal('send_message'), arguments: Type.String()})});

const Block = Type.Object({label: Type.String(), value: Type.String()});

const Agent = Type.Object({name: Type.String(), messages: Type.Array(Type.Unknown()), block_ids: Type.Optional(Type.Array(Type.String()))});

const AgentFile = Type.Object({agents: Type.Array(Agent), blocks: Type.Array(Type.Object({id: Type.String()})), created_at: Maybe});

const OldAgentFile = Type.Intersect([Agent, Type.Object({core_memory: Type.Array(Type.Unknown()), created_at: Maybe})]);

/** The facts about an agent file that its entries need. */
type AgentContext = {
	agent: string;
	isFirstAgent: boolean;
	/** Whether the agent answers by calling a tool, as older ones do. The content of its messages is then its thoughts. */
	hasReplyTool: boolean;
	created: string | null | undefined;
};

/** An entry of an agent file, for {@link translateEntry}. */
type Unfolded = () => unknown;

/** Marks entries that no speaker said: instructions, tool calls, reasoning. */
export const leftOut = Symbol('left out');

/**
 * Lists the entries of an export: the memories of mem0, or for each agent of an agent file its
 * memory blocks, then its messages.
 *
 * @returns null if the document is none of these.
 */
export const unfoldExport = (document: unknown): unknown[] | null => {
	if (Value.Check(MemoryPage, document)) {
		return document.results;
	}

	if (Value.Check(OldAgentFile, document)) {
		return unfoldAgent(document, document.core_memory, {isFirstAgent: true, created: document.created_at});
	}

	return Value.Check(AgentFile, document)
		? document.agents.flatMap((agent, i) => unfoldAgent(
			agent, document.blocks.filter(({id}) => agent.block_ids?.includes(id)),
			{isFirstAgent: i === 0, created: document.created_at},
		))
		: null;
};

const unfoldAgent = (
	{name, messages}: Static<typeof Agent>, blocks: readonly unknown[], file: Pick<AgentContext, 'isFirstAgent' | 'created'>,
): Unfolded[] => {
	const hasReplyTool = messages.some(
		message => Value.Check(Message, message) && message.tool_calls?.some(call => Value.Check(Reply, call)),
	);
	return [...blocks, ...messages].map(entry => () => fromAgentFile(entry, {...file, agent: name, hasReplyTool}));
};

/**
 * Translates an exported entry into one with a `kind`. Any other value is returned as it is.
 *
 * @returns {@link leftOut} for an entry that no speaker said.
 * @throws {TypeError} saying why the entry cannot be used.
 */
export const translateEntry = (value: unknown): unknown => {
	if (typeof value === 'function') {
		return (value as Unfolded)();
	}

	const {kind, id, ...entry} = fieldsOf(value);
	if (kind !== undefined) {
		return value;
	}

	if ('memory' in entry && !('content' in entry)) {
		const {memory, role, created_at: snake, createdAt: camel, ...scope} = requireMatch(Memory, entry);
		const created = snake ?? camel;
		return role ? toMessage(role, memory, created, scope.run_id ?? scope.user_id ?? scope.agent_id ?? 'mem0') : toThought(memory, created);
	}

	if ('message_type' in entry) {
		const {message_type: type, content, date} = requireMatch(ListedMessage, entry);
		return toMessage(type.replace(/_message$/, ''), textOf(content), date, 'letta');
	}

	if (typeof id === 'string' && id.startsWith('passage-')) {
		const {text, created_at: created} = requireMatch(Passage, entry);
		return toThought(text, created);
	}

	return value;
};

const fromAgentFile = (entry: unknown, {agent, isFirstAgent, hasReplyTool, created}: AgentContext): unknown => {
	const {id, label} = fieldsOf(entry);
	return withErrors(() => {
		if (label === undefined) {
			const {role, content, created_at: said, tool_calls: calls} = requireMatch(Message, entry);
			return toMessage(role, role === 'assistant' && hasReplyTool ? replyIn(calls ?? []) : textOf(content), said, agent);
		}

		const block = requireMatch(Block, entry);
		if (block.label !== 'persona') {
			return toThought(block.value, created);
		}

		if (!isFirstAgent) {
			throw new TypeError('an identity begins as one agent, and another is first in the file');
		}

		return {kind: 'state', state_id: 1, timestamp: requireTime(created), content: requireText(block.value)};
	}, error => error instanceof TypeError ? new TypeError(`${String(id ?? label ?? 'an entry')} of “${agent}”: ${error.message}`) : error);
};

const toThought = (
	text: string, created: string | null | undefined,
): unknown => ({kind: 'thought', content: requireText(text), ...(created && {created})});

const toMessage = (role: string, text: string, created: string | null | undefined, conversation: string): unknown => {
	const said = role === 'user' ? unpack(text) : text;
	if (!['user', 'assistant'].includes(role) || said === null || (role === 'assistant' && said === '')) {
		return leftOut;
	}

	return {kind: 'message', conversation, role, content: requireText(said), created: requireTime(created)};
};

const replyIn = (calls: readonly unknown[]): string => calls
	.filter(call => Value.Check(Reply, call))
	.map(({function: {arguments: json}}) => {
		const {message} = fieldsOf(valueOfJson(json));
		if (typeof message !== 'string') {
			throw new TypeError('its send_message has no message');
		}

		return message;
	})
	.join('\n');

/** Letta wraps the user's texts and system events into JSON. @returns null for an event */
const unpack = (text: string): string | null => {
	const {type, message} = fieldsOf(valueOfJson(text));
	if (type === 'user_message' && typeof message === 'string') {
		return message;
	}

	return ['heartbeat', 'login', 'system_alert'].includes(type as string) ? null : text;
};

const requireText = (text: string): string => {
	if (text.trim() === '') {
		throw new TypeError('it has no text');
	}

	return text;
};

const requireTime = (time: string | null | undefined): string => {
	if (!time) {
		throw new TypeError('it has no time');
	}

	return time;
};
