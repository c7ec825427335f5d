/** The part of WebAssembly that the kernels use. Node's types lack it, and the browser's bring much else. */
declare namespace WebAssembly {
	type Module = object;
	type Instance = {readonly exports: Record<string, unknown>};
	type Memory = {readonly buffer: ArrayBuffer; grow(pages: number): number};
	const Module: new (bytes: Uint8Array) => Module;
	const Instance: new (module: Module, imports: {env: {memory: Memory}}) => Instance;
	const Memory: new (limits: {initial: number; maximum: number; shared?: boolean}) => Memory;
	const validate: (bytes: Uint8Array) => boolean;
}
