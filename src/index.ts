/**
 * The public library: a process to embed in another application, and the types around it.
 *
 * @packageDocumentation
 */
export {createProcess, type ProcessOptions, type RunningProcess} from './create-process.ts';
export {createApp, type AppOptions} from './http/app.ts';
export {loadEncoder, type EmbeddingOptions} from './embedding/load.ts';
export type {Encoder, ModelPassport} from './embedding/encoder.ts';
export {createSqliteJournal, type SqliteJournalOptions} from './journal/sqlite.ts';
export {JournalReader} from './journal/reader.ts';
export type {Journal} from './journal/journal.ts';
export {selectKernel} from './kernel/select.ts';
export type {Kernel} from './kernel/kernel.ts';
export {builtInCatalogue, readCatalogue} from './store/catalogue.ts';
export {loadDirections} from './store/direction-vectors.ts';
export {readThemes} from './store/themes.ts';
export {dimensions, width, type Dimension} from './tensor/dimensions.ts';
export {StateTensor} from './tensor/state-tensor.ts';
export * from './errors.ts';
