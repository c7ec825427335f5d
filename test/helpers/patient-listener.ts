/**
 * A listener that waits as long as a test: after five seconds it would continue without the identity, as it must, and a test
 * on a busy machine would miss a text. Import it, or preload it into a program (`patientEnvironment`).
 */
import {childEnvironment} from './child-environment.ts';

/** The default `timeoutMs` of `listenWith`, which the plugins use. */
const listenerTimeoutMs = 5000;

globalThis.setTimeout = new Proxy(setTimeout, {
	apply: (target, self, [callback, milliseconds, ...given]: Parameters<typeof setTimeout>) =>
		Reflect.apply(target, self, [callback, milliseconds === listenerTimeoutMs ? 600_000 : milliseconds, ...given]),
});

/** The environment of a program whose listener waits. */
export const patientEnvironment: NodeJS.ProcessEnv = {...childEnvironment, NODE_OPTIONS: `--import=${import.meta.url}`};
