/**
 * Says whether this Node is too old, before anything fails that needs a newer one: SQLite is
 * missing from Node 20, and other parts only fail when they are used. It asks Node alone: other
 * runtimes and pages have no such version, or say one of their own.
 */
type Runtime = {process?: {versions?: {node?: string}}; navigator?: {userAgent?: string}};

/** The oldest Node, as `engines` in package.json has it. */
const oldest = [22, 20] as const;

/** What to do about a Node that is too old; null where it is not, or where this is not Node. */
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
