/** The id of a request, in its response and in the log. */
import {randomUUID} from 'node:crypto';

const harmless = /^[\w.-]{1,128}$/;

/** The client's own id if it is short and harmless; else a new one. */
export const requestIdOf = (given: string): string => harmless.test(given) ? given : randomUUID();
