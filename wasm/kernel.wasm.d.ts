/**
 * The state tensor's kernel as a file, for runtimes that forbid compiling from bytes; their bundlers import it as a
 * compiled `WebAssembly.Module`, which Node's types do not name.
 */
declare const module: object;
export default module;
