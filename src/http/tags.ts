/** The groups of endpoints in the OpenAPI document. */

type Tag = {name: string; description: string; paths: readonly string[]};

const service: Tag = {name: 'Service', description: 'Whether it runs, what it counts, which identities it has, and its documents.', paths: []};

const groups: readonly Tag[] = [
	{name: 'Talk', description: 'What moves the state, and what puts it into words.', paths: ['/cycle', '/translate', '/dry-run', '/reset', '/daemon/status', '/daemon/start', '/daemon/stop']},
	{name: 'State', description: 'What the identity is now.', paths: ['/state', '/tensor', '/profile', '/profile/scaled', '/vigilance']},
	{name: 'Past', description: 'How it came about, because of whom, and what would be otherwise.', paths: ['/ledger', '/history', '/diff', '/what-if']},
	{name: 'Drift', description: 'Whether it is still who it should be.', paths: ['/validate', '/drift', '/sources']},
	service,
];

/** As the document declares them. */
export const tags = groups.map(({name, description}) => ({name, description}));

/** The group of an endpoint; what is in no other is about the service. */
export const tagOf = (path: string): string => (groups.find(({paths}) => paths.includes(path)) ?? service).name;
