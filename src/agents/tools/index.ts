/**
 * Tools with which a language model asks a local or remote identity: definitions for the APIs of OpenAI and
 * Anthropic, and the function that answers the calls. The MCP server has the same tools. Also a listener for an
 * agent's host, so that the identity hears both sides.
 *
 * @module processual-state/tools
 */
import '../../platform/require-node.ts';
export {callTool, type ToolAnswer} from './call-tool.ts';
export {toolDefinitions, type ToolDefinitions, type ToolFormat, type ToolSchema} from './tool-definitions.ts';
export {listenWith, type AgentListener, type ListenerOptions, type Speaker} from '../listen-with.ts';
