/**
 * Sources of an identity: the initial state, the reference person, directions, themes and authority.
 *
 * @module processual-state/sources
 */
import '../platform/require-node.ts';
export {loadAuthority, type AuthorityOptions, type AuthorityStatements, type Statement} from './authority.ts';
export {builtInCatalogue, loadCatalogue, type CatalogueEntry} from './directions/catalogue.ts';
export {loadDirections, type VectorOptions} from './directions/vectors.ts';
export {loadInitialState, type InitialStateOptions} from './initial-state.ts';
export {loadPerson, type PersonSources} from './load-person.ts';
export type {Boot, Source} from './source.ts';
export type {Warn} from '../platform/errors.ts';
export type {Language} from '../platform/phrase.ts';
export {loadThemes, type Themes} from './themes.ts';
