/** The machines, for an actor system of one's own. */
export {bootMachine} from '../actors/boot.ts';
export {cycleMachine} from '../actors/cycle.ts';
export {daemonMachine, defaultLoop, type DaemonRequest, type LoopConfig} from '../actors/daemon.ts';
export {Handle} from '../actors/handle.ts';
export {processMachine} from '../actors/process.ts';
export {resetMachine} from '../actors/reset.ts';
export {translationMachine} from '../actors/translation.ts';
