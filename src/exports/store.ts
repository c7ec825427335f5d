/** Where a process begins: the store's port and its adapters, the reference person, directions, authority. */
export {loadAuthority, readAuthority, type AuthorityStatements} from '../store/authority.ts';
export {beginFromStore} from '../store/beginning.ts';
export {builtInCatalogue, readCatalogue} from '../store/catalogue.ts';
export {loadDirections} from '../store/direction-vectors.ts';
export {knowPerson} from '../store/person.ts';
export {openSqliteStore} from '../store/sqlite-store.ts';
export type {Store, StoredDirection, StoredState, StoredThought} from '../store/store.ts';
export {readThemes, type Themes} from '../store/themes.ts';
export {openWeaviate} from '../store/weaviate.ts';
