/** The configured store: a Weaviate server, or an embedded file. */
import type {KernelName} from '../kernel/kernel.ts';
import {openSqliteStore} from './sqlite/store.ts';
import type {Store} from './store.ts';
import {openWeaviate} from './weaviate/store.ts';

export type StoreOptions = {file: string; kernel: 'auto' | KernelName} | {url: string; apiKey: string | undefined};

export const openStore = (options: StoreOptions): Store => 'file' in options ? openSqliteStore(options.file, options.kernel) : openWeaviate(options);
