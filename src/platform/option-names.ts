/**
 * What messages call an option. The library calls it by its path: `encoder.apiKey` is the `apiKey` of the
 * encoder's options. A program whose users know other names, as the command's know settings, gives these once
 * at its start, before it starts a thread.
 */
export type NamedOption =
	| 'authority.file'
	| `database.${'poolSize' | 'url'}`
	| `directions.${'file' | 'source'}`
	| `encoder.${'apiKey' | 'baseUrl' | 'dtype' | 'model' | 'offline' | 'pooling' | 'threads' | 'timeoutSeconds' | 'truncate'}`
	| `host.${'defaultName' | 'maxIdentities'}`
	| `http.${'cors' | 'maxMetadataBytes'}`
	| 'journal.folder'
	| `listen.${'host' | 'port'}`
	| `person.${'messagesFile' | 'profileFile'}`
	| 'questions.maxSeconds'
	| 'requireInitialState'
	| `store.${'apiKey' | 'file' | 'url'}`
	| `translator.${'anthropicApiKey' | 'apiKey' | 'baseUrl' | 'model' | 'timeoutSeconds'}`
	| 'translator: templateTranslator';

type OptionNames = Readonly<Record<NamedOption, string>>;

/** Threads get a copy of what stands in Node's environment data. A page has neither. */
const node = (globalThis as {process?: Partial<NodeJS.Process>}).process?.getBuiltinModule?.('node:worker_threads');

const key = 'processual-state: names of options';

/** Gives the names that messages have from now on, here and in threads that start later. */
export const setOptionNames = (names: OptionNames): void => node?.setEnvironmentData(key, names);

/** The name of an option for whoever reads a message. */
export const nameOf = (option: NamedOption): string => (node?.getEnvironmentData?.(key) as OptionNames | undefined)?.[option] ?? option;
