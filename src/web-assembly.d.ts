/** The part of WebAssembly that the kernels use. Node's types lack it, and the browser's bring much else. */
declare namespace WebAssembly {
	type Module = object;
	type Instance = {readonly exports: Record<string, unknown>};
	type Memory<Buffer extends ArrayBufferLike = ArrayBuffer> = {readonly buffer: Buffer; grow(pages: number): number};
	const Module: new (bytes: Uint8Array) => Module;
	const Instance: new (module: Module, imports: {env: {memory: Memory<ArrayBufferLike>}}) => Instance;
	const Memory: new <Buffer extends ArrayBufferLike = ArrayBuffer>(limits: {initial: number; maximum: number; shared?: Buffer extends SharedArrayBuffer ? true : never}) => Memory<Buffer>;
	const validate: (bytes: Uint8Array) => boolean;
}
