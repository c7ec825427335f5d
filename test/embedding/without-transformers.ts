/** Preloaded into a process and its workers: transformers.js is not installed. */
import {registerHooks} from 'node:module';

registerHooks({
	resolve(specifier, context, next) {
		if (specifier === '@xenova/transformers') {
			throw Object.assign(new Error(`Cannot find package '${specifier}'`), {code: 'ERR_MODULE_NOT_FOUND'});
		}

		return next(specifier, context);
	},
});
