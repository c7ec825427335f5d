/**
 * An identity beside the AI SDK's language models: middleware that informs a model of what stands
 * out in the identity, and lets the identity hear the conversation.
 *
 * @module processual-state/ai-sdk
 */
import '../../platform/require-node.ts';
export {withIdentity, type IdentityMiddleware, type WithIdentityOptions} from './with-identity.ts';
