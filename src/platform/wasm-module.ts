/** A WebAssembly module that is embedded in the sources as base64. It is compiled once. */
export class WasmModule<Functions> {
	readonly #base64: string;
	#module: WebAssembly.Module | undefined;
	#isSupported: boolean | undefined;

	constructor(base64: string) {
		this.#base64 = base64;
	}

	/** Whether this runtime supports the module's instructions and may compile them: a page's security policy may forbid it. */
	get isSupported(): boolean {
		return this.#isSupported ??= this.#canCompile();
	}

	/** Creates an instance that works on this memory. @throws when the module is not supported. */
	instantiate(memory: WebAssembly.Memory): Functions {
		return new WebAssembly.Instance(this.compiled, {env: {memory}}).exports as Functions;
	}

	/** Compiled at its first use. @throws when the module is not supported. */
	get compiled(): WebAssembly.Module {
		return this.#module ??= new WebAssembly.Module(this.#bytes());
	}

	#canCompile(): boolean {
		try {
			return WebAssembly.validate(this.#bytes()) && Boolean(this.compiled);
		} catch {
			return false;
		}
	}

	#bytes(): Uint8Array<ArrayBuffer> {
		return Uint8Array.from(atob(this.#base64), character => character.charCodeAt(0));
	}
}
