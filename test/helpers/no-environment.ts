/**
 * Preloaded into a program and its workers: reading the environment throws, and is printed. Node
 * itself may read it, and so may the packages that the program's last argument names, and esbuild, which compiles a module
 * on Node 22 that no other process has compiled before.
 */
import {writeSync} from 'node:fs';

const allowed = ['esbuild', ...(process.argv.at(-1) ?? '').split(',')].filter(Boolean).map(name => `/node_modules/${name}/`);

/** Whether the code that called the trap is Node's or of an allowed package. */
const mayRead = (caller: string): boolean => /\bnode:/.test(caller) || allowed.some(folder => caller.includes(folder));

const trap = <Name extends keyof typeof Reflect>(name: Name): [Name, (...words: never[]) => unknown] => [name, (...words) => {
	// After the error and this trap comes the caller; built-in functions such as Object.keys have no place and are skipped.
	const caller = new Error('read').stack!
		.split('\n')
		.slice(2)
		.find(line => !line.includes('<anonymous>)') || line.includes('://') || line.includes('/')) ?? '';
	if (mayRead(caller)) {
		return (Reflect[name] as (...words: never[]) => unknown)(...words);
	}

	const message = `The environment was read (${name} ${String(words[1])}) ${caller.trim()}`;
	writeSync(2, `${message}\n`);
	throw new Error(message);
}];

const traps = ([
	'get', 'has', 'ownKeys', 'getOwnPropertyDescriptor', 'set', 'defineProperty', 'deleteProperty',
] as const).map(name => trap(name));

Object.defineProperty(process, 'env', {value: new Proxy(process.env, Object.fromEntries(traps)), configurable: true});
