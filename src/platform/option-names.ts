/**
 * The names of options in messages. The library names an option by its path: `encoder.apiKey` is the `apiKey` of
 * the encoder's options. A program whose users know other names, such as the command's settings, sets these once at
 * its start, before it starts a thread.
 */
export type NamedOption =
	| 'authority.file'
	| `database.${'poolSize' | 'sessionUrl' | 'url'}`
	| `directions.${'file' | 'source'}`
	| `encoder.${'apiKey' | 'baseUrl' | 'dtype' | 'model' | 'offline' | 'pooling' | 'threads' | 'timeoutSeconds' | 'truncate'}`
	| `host.${'defaultName' | 'maxIdentities' | 'maxLive'}`
	| `http.${'cors' | 'maxBodyBytes' | 'maxMetadataBytes' | 'selfToken'}`
	| `journal.${'compaction.keepRecords' | 'folder' | 'keys'}`
	| 'node.url'
	| `listen.${'host' | 'port'}`
	| `person.${'messagesFile' | 'profileFile'}`
	| 'questions.maxSeconds'
	| 'requireInitialState'
	| `store.${'apiKey' | 'file' | 'url'}`
	| `translator.${'anthropicApiKey' | 'apiKey' | 'baseUrl' | 'model' | 'timeoutSeconds'}`
	| 'translator: templateTranslator';

type OptionNames = Readonly<Record<NamedOption, string>>;

let names: OptionNames | null = null;

/** Sets the names in messages from now on, here and in threads that start later (`thread-calls.ts`). */
export const setOptionNames = (given: OptionNames | null): void => {
	names = given;
};

/** The names that were set; null if messages name options by their paths. */
export const givenNames = (): OptionNames | null => names;

/** The name of an option in messages. */
export const nameOf = (option: NamedOption): string => names?.[option] ?? option;
