/**
 * Sources of an identity: the initial state, the reference person, directions, themes and authority.
 *
 * @module processual-state/sources
 */
export {loadAuthority, readAuthority, type AuthorityStatements, type Statement} from './authority.ts';
export {builtInCatalogue, readCatalogue, type Catalogue, type CatalogueEntry} from './directions/catalogue.ts';
export {loadDirections, type LoadedDirections, type VectorOptions} from './directions/vectors.ts';
export {loadInitialState, type InitialStateOptions, type LoadedInitialState} from './initial-state.ts';
export {loadPerson, type PersonSources} from './load-person.ts';
export {readThemes, type Themes} from './themes.ts';
