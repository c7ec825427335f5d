/**
 * Finds out whether this Node is too old before anything that needs a newer one fails: SQLite is
 * missing from Node 20, and other parts only fail when they are used. Only Node is checked: other
 * runtimes and browsers have no such version, or only imitate one.
 */
type Runtime = {process?: {versions?: {node?: string}}; navigator?: {userAgent?: string}};

/** The oldest Node that is supported, as `engines` in package.json says. */
const oldest = [22, 20] as const;

/** What to do about a Node that is too old; null if it is not, or if this is not Node. */
export const describeOldNode = ({process: {versions: {node} = {}} = {}, navigator}: Runtime): string | null => {
	// Before version 21, Node has no navigator.
	if (node === undefined || (navigator !== undefined && !navigator.userAgent?.startsWith('Node.js/'))) {
		return null;
	}

	const [major = 0, minor = 0] = node.split('.').map(Number);
	return major > oldest[0] || (major === oldest[0] && minor >= oldest[1])
		? null
		: `processual-state needs Node ${oldest.join('.')} or newer, and this is Node ${node}. `
			+ 'Install one from https://nodejs.org, or run npx --package=node@24 -- node with your program.';
};
