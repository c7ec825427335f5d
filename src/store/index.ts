/**
 * The store of thoughts, states and directions: the port, SQLite and Weaviate.
 *
 * @module processual-state/store
 */
import '../require-node.ts';
export type {StoredItems, Written} from './sqlite/rows.ts';
export {openSqliteStore, type SqliteStore, type StoredItem} from './sqlite/store.ts';
export type {Search, Store, StoredDirection, StoredState, StoredThought} from './store.ts';
export {openWeaviate, type WeaviateOptions} from './weaviate/store.ts';
