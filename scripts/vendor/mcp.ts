export {Server} from '@modelcontextprotocol/sdk/server/index.js';
export {StdioServerTransport} from '@modelcontextprotocol/sdk/server/stdio.js';
export {WebStandardStreamableHTTPServerTransport} from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
export {CallToolRequestSchema, ErrorCode, GetPromptRequestSchema, ListPromptsRequestSchema, ListResourcesRequestSchema, ListResourceTemplatesRequestSchema, ListToolsRequestSchema, McpError, ReadResourceRequestSchema} from '@modelcontextprotocol/sdk/types.js';
