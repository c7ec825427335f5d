/** Makes packages look as if they were not installed, or installed under another name. */
import {registerHooks} from 'node:module';

/** @param others By the name of a package: the one to load instead, or null as if it were not installed. */
export const replacePackages = (others: Record<string, string | null>): void => {
	registerHooks({
		resolve(specifier, context, next) {
			const other = others[specifier];
			if (other === null) {
				throw Object.assign(new Error(`Cannot find package '${specifier}'`), {code: 'ERR_MODULE_NOT_FOUND'});
			}

			return next(other ?? specifier, context);
		},
	});
};
