/**
 * The store of thoughts, states and directions: the port, SQLite and Weaviate.
 *
 * @module processual-state/store
 */
import '../../platform/require-node.ts';
export {openSqliteStore, type SqliteStore} from './sqlite/store.ts';
export type {Search, Store, StoredDirection, StoredItem, StoredItems, StoredState, StoredThought, WritableStore, Written} from './store.ts';
export type {Erased, TextsToForget} from '../forget-texts.ts';
export {openWeaviate, type WeaviateOptions} from './weaviate/store.ts';
