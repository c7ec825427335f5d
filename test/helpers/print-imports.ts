/** Preloaded into a process: writes each import of OpenTelemetry, and the importing module, to the error stream. */
import {registerHooks} from 'node:module';

registerHooks({
	resolve(specifier, context, next) {
		if (specifier.startsWith('@opentelemetry/')) {
			process.stderr.write(`${specifier} ${context.parentURL}\n`);
		}

		return next(specifier, context);
	},
});
