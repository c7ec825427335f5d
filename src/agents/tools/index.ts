/**
 * What a language model may ask of an identity, in this program or afar: definitions for the interfaces of
 * OpenAI and Anthropic, and the function that answers the calls. The MCP server has the same tools. And what a host
 * calls around a model's answer, so that the identity hears both sides.
 *
 * @module processual-state/tools
 */
import '../../platform/require-node.ts';
export {callTool, type ToolAnswer} from './call-tool.ts';
export {toolDefinitions, type ToolDefinitions, type ToolFormat, type ToolSchema} from './tool-definitions.ts';
export {listenWith, type AgentListener, type ListenerOptions, type Speaker} from '../listen-with.ts';
