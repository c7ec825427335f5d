/** The state tensor's kernel as a file, for runtimes that forbid compiling from bytes; their bundlers import it as a compiled module. */
declare const module: WebAssembly.Module;
export default module;
