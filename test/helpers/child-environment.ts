/**
 * The environment of programs that tests and benchmarks start: the path of commands, and the
 * cache of compiled modules, which saves a third of a start. No settings.
 */
const {PATH, NODE_COMPILE_CACHE} = process.env;

export const childEnvironment: NodeJS.ProcessEnv = {PATH, NODE_COMPILE_CACHE};
