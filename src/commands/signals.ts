/** The signals that end a command at once. */
import type closeWithGrace from 'close-with-grace';

/** Signals after which code cannot continue: a listener might never return, and some runtimes reject one. */
export const fatalSignals: closeWithGrace.Signals[] = ['SIGILL', 'SIGBUS', 'SIGFPE', 'SIGSEGV'];
