/**
 * Where a process begins: the store's port and its adapters, the reference person, directions, authority.
 *
 * @module processual-state/store
 */
export {loadAuthority, readAuthority, type AuthorityStatements, type Statement} from '../store/authority.ts';
export {beginFromStore, type Beginning, type Begun} from '../store/beginning.ts';
export {builtInCatalogue, readCatalogue, type Catalogue, type CatalogueEntry} from '../store/catalogue.ts';
export {loadDirections, type LoadedDirections, type VectorOptions} from '../store/direction-vectors.ts';
export {knowPerson, type PersonSources} from '../store/person.ts';
export type {StoredItems, Written} from '../store/sqlite-rows.ts';
export {openSqliteStore, type SqliteStore, type StoredItem} from '../store/sqlite-store.ts';
export type {Search, Store, StoredDirection, StoredState, StoredThought} from '../store/store.ts';
export {readThemes, type Themes} from '../store/themes.ts';
export {openWeaviate, type WeaviateOptions} from '../store/weaviate.ts';
