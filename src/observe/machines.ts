/** The definitions of the machines as JSON, so that they can be drawn before an actor runs them. */
import {createBootMachine} from '../actors/boot.ts';
import {cycleKind} from '../actors/cycle.ts';
import {createDaemonMachine} from '../actors/daemon.ts';
import type {MachineDeps} from '../actors/deps.ts';
import {createProcessMachine} from '../actors/process.ts';
import {createTurnMachine} from '../actors/turn-machine.ts';

/** Only running actors use the parts. `isAsked` makes the optional state `guarding` part of the definition. */
const noDeps = {standings: {isAsked: true}} as MachineDeps;

const createCycleMachine = (deps: MachineDeps) => createTurnMachine(cycleKind(deps), deps);

/** Replaces a function, such as an action or a guard, by its name; by null if it has none. */
const nameFunctions = (_key: string, value: unknown): unknown => typeof value === 'function' ? value.name || null : value;

/** The definitions of process, boot, daemon and cycle, in this order. */
export const describeMachines = (): unknown[] =>
	[
		createProcessMachine, createBootMachine, createDaemonMachine, createCycleMachine,
	].map(create => JSON.parse(JSON.stringify(create(noDeps).config, nameFunctions)));
