/** What a request is called, in its answer and in the log. */
import {randomUUID} from 'node:crypto';

const harmless = /^[\w.-]{1,128}$/;

/** A caller's own id is taken over if it is short and harmless; else there is a new one. */
export const requestIdOf = (given: string): string => harmless.test(given) ? given : randomUUID();
