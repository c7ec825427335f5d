/** The path under which a host mounts the interface. */
import {ConfigurationError} from '../platform/errors.ts';

/** A path below the prefix, and the values of the prefix's parameters; null for any other path. */
export type Prefix = (path: string) => {path: string; params: Readonly<Record<string, string>>} | null;

/** Reads a prefix: empty, or segments that each begin with a slash. A segment `:name` takes any value. @throws {ConfigurationError} */
export const readPrefix = (prefix: string): Prefix => {
	if (prefix !== '' && !/^(?:\/[^/?#]+)+$/.test(prefix)) {
		throw new ConfigurationError(`The prefix “${prefix}” is not a path: a prefix begins with a slash and ends without one, as `
			+ '“/identity” does.');
	}

	const wanted = prefix.split('/').slice(1);
	return path => {
		const given = path.split('/').slice(1);
		const params: Record<string, string> = {};
		for (const [index, segment] of wanted.entries()) {
			const value = given[index];
			if (segment.startsWith(':') && value) {
				params[segment.slice(1)] = decode(value);
			} else if (segment !== value) {
				return null;
			}
		}

		return {path: `/${given.slice(wanted.length).join('/')}`, params};
	};
};

/** A value with a malformed escape is taken as it is. */
const decode = (value: string): string => {
	try {
		return decodeURIComponent(value);
	} catch {
		return value;
	}
};
