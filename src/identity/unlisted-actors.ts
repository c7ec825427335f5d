/**
 * Keeps XState from listing the running actors of a system. XState 5.33 writes that list, a Map by
 * session id, and never reads it; `system.get` has another one.
 *
 * V8 chains the tables that a Map leaves behind when it grows or shrinks. After a full collection one
 * table is old: dead, it keeps all later ones alive, with the actors that were in them. Measured over
 * cycles: of the young objects 8 % survived each collection, without the list 2 %, and a cycle takes
 * four fifths of the CPU time. `test/identity/unlisted-actors.test.ts` pins what this relies on.
 */
import type {AnyActor} from 'xstate';

/** Call it before the root starts. */
export const disableActorList = ({system}: AnyActor): void => {
	Object.assign(system, {_register: (sessionId: string) => sessionId});
};
