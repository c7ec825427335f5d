/** The machines as they are defined, in JSON: for whoever draws them before an actor lives by them. */
import {bootMachine} from '../actors/boot.ts';
import {cycleMachine} from '../actors/cycle.ts';
import {daemonMachine} from '../actors/daemon.ts';
import {processMachine} from '../actors/process.ts';

/** An action or a guard that is a function stands as its name, or as `null` where it has none. */
const nameFunctions = (_key: string, value: unknown): unknown => typeof value === 'function' ? value.name || null : value;

/** The definitions of process, boot, daemon and cycle, in this order. */
export const describeMachines = (): unknown[] =>
	[processMachine, bootMachine, daemonMachine, cycleMachine].map(({config}) => JSON.parse(JSON.stringify(config, nameFunctions)));
