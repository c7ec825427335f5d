/** The definitions of the machines as JSON, to be drawn before an actor runs them. */
import {bootMachine} from '../actors/boot.ts';
import {cycleMachine} from '../actors/cycle.ts';
import {daemonMachine} from '../actors/daemon.ts';
import {processMachine} from '../actors/process.ts';

/** Replaces a function, as of an action or a guard, by its name, or by `null` where it has none. */
const nameFunctions = (_key: string, value: unknown): unknown => typeof value === 'function' ? value.name || null : value;

/** The definitions of process, boot, daemon and cycle, in this order. */
export const describeMachines = (): unknown[] =>
	[processMachine, bootMachine, daemonMachine, cycleMachine].map(({config}) => JSON.parse(JSON.stringify(config, nameFunctions)));
