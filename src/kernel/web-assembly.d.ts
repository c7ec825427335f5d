/** The part of WebAssembly that the kernel uses: the types of Node leave it to those of the browser, which bring much else. */
declare namespace WebAssembly {
	class Module {
		constructor(bytes: Uint8Array);
	}
	class Instance {
		constructor(module: Module, imports: {env: {memory: Memory}});
		readonly exports: Record<string, unknown>;
	}
	class Memory {
		constructor(limits: {initial: number; maximum: number});
		readonly buffer: ArrayBuffer;
		grow(pages: number): number;
	}
	const validate: (bytes: Uint8Array) => boolean;
}
