/** Tests that take minutes, or install and build: packing, other runtimes, the API's documentation, pages in a browser, long series of kills, faults and requests. */
import fast, {slow} from './ava.config.js';

/** Begun first, the longest before the others: none of them runs alone at the end, while the other processors have nothing to do. */
export const longest = [
	'field/beside', 'field/readme', 'slow/package', 'commands/cli-store', 'commands/cli', 'journal/kill', 'host/postgres/host',
	'field/install', 'slow/api-docs', 'field/page', 'field/records',
];

const rankOf = file => {
	const rank = longest.findIndex(name => file.endsWith(`/test/${name}.test.ts`));
	return rank === -1 ? longest.length : rank;
};

export default {...fast, files: slow, sortTestFiles: (one, other) => rankOf(one) - rankOf(other)};
