/** Preloaded into a process: it says on its error stream which module imports what of OpenTelemetry. */
import {registerHooks} from 'node:module';

registerHooks({
	resolve(specifier, context, next) {
		if (specifier.startsWith('@opentelemetry/')) {
			process.stderr.write(`${specifier} ${context.parentURL}\n`);
		}

		return next(specifier, context);
	},
});
