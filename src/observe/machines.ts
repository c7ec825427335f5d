/** The definitions of the machines as JSON, to be drawn before an actor runs them. */
import {createBootMachine} from '../actors/boot.ts';
import {cycleKind} from '../actors/cycle.ts';
import {createDaemonMachine} from '../actors/daemon.ts';
import type {MachineDeps} from '../actors/deps.ts';
import {createProcessMachine} from '../actors/process.ts';
import {createTurnMachine} from '../actors/turn-machine.ts';

/** A definition needs no part: only a running actor uses the parts. Each state that there can be is drawn. */
const noDeps = {standings: {isAsked: true}} as MachineDeps;

const createCycleMachine = (deps: MachineDeps) => createTurnMachine(cycleKind(deps), deps);

/** Replaces a function, as of an action or a guard, by its name, or by `null` where it has none. */
const nameFunctions = (_key: string, value: unknown): unknown => typeof value === 'function' ? value.name || null : value;

/**
 * The definitions of process, boot, daemon and cycle, in this order.
 *
 * @example
 * ```ts
 * import {describeMachines} from 'processual-state/inspection';
 *
 * const [process] = describeMachines();
 * console.log(JSON.stringify(process, null, 2));
 * ```
 */
export const describeMachines = (): unknown[] =>
	[
		createProcessMachine, createBootMachine, createDaemonMachine, createCycleMachine,
	].map(create => JSON.parse(JSON.stringify(create(noDeps).config, nameFunctions)));
