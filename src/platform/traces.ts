/**
 * Traces of bytes: fingerprints of a text, so that its bytes can be searched for, but not read.
 *
 * A trace is that of a passage of 16 bytes: 20 bits of a rolling hash, and 8 bytes of the SHA-256 of salt and passage,
 * which is only computed if the hash fits. With both, a search for a thousand traces finds a passage that has none
 * once in 10¹³ bytes. No passage can be read from its trace, but a guess of the whole passage can be checked.
 */

/** The length of a passage. Shorter texts have no trace: they would be found by chance. */
export const passageBytes = 16;

/** How many passages of a text have traces, spread over it so that a part of it is found too. */
const maxPassages = 8;

const saltBytes = 16;
const sieveBytes = 3;
const digestBytes = 8;
const traceBytes = sieveBytes + digestBytes;

/** Traces of many texts. */
export type Traces = {
	/** Random; 16 bytes in base64. */
	readonly salt: string;
	/** Traces of 11 bytes each, in base64. */
	readonly passages: string;
};

/** The hash's multiplier, and the factor of a passage's oldest byte when it leaves. */
const factorsOf = (salt: Uint8Array): {readonly step: number; readonly leaving: number} => {
	const step = new DataView(salt.buffer, salt.byteOffset).getUint32(0) | 1;
	let leaving = 1;
	for (let i = 1; i < passageBytes; i++) {
		leaving = Math.imul(leaving, step);
	}

	return {step, leaving};
};

/** The 20 bits of a hash that rule out most places. */
const sieveOf = (hash: number): number => Math.imul(hash, 0x9E_37_79_B1) >>> 12;

/** Calls `visit` for each passage, with the sieve's bits and its offset. */
const rollOver = (bytes: Uint8Array, salt: Uint8Array, visit: (sieve: number, at: number) => void): void => {
	const {step, leaving} = factorsOf(salt);
	let hash = 0;
	for (let i = 0; i < bytes.length; i++) {
		if (i >= passageBytes) {
			hash = (hash - Math.imul(bytes[i - passageBytes]!, leaving)) | 0;
		}

		hash = (Math.imul(hash, step) + bytes[i]!) | 0;
		if (i >= passageBytes - 1) {
			visit(sieveOf(hash), i - passageBytes + 1);
		}
	}
};

const digest = async (salt: Uint8Array, passage: Uint8Array): Promise<Uint8Array> =>
	new Uint8Array(await crypto.subtle.digest('SHA-256', concatenate([salt, passage])), 0, digestBytes);

/** The passages of a text that have traces: at most so many, each with two different bytes or more. */
const passagesOf = (bytes: Uint8Array, count: number): Uint8Array[] => {
	const last = bytes.length - passageBytes;
	const places = last < 0 ? [] : Array.from({length: Math.min(count, last + 1)}, (_, i, all = Math.min(count, last + 1)) =>
		all === 1 ? Math.floor(last / 2) : Math.round(i * last / (all - 1)));
	return places
		.map(at => bytes.slice(at, at + passageBytes))
		.filter(passage => new Set(passage).size > 1);
};

/** @param maxTraces How many traces there are at most; with more texts, each has fewer. */
export const makeTraces = async (texts: readonly Uint8Array[], maxTraces: number): Promise<Traces> => {
	const salt = crypto.getRandomValues(new Uint8Array(saltBytes));
	const each = Math.max(1, Math.min(maxPassages, Math.floor(maxTraces / Math.max(1, texts.length))));
	const passages = texts.flatMap(text => passagesOf(text, each)).slice(0, maxTraces);
	const traces = await Promise.all(passages.map(async passage => {
		const trace = new Uint8Array(traceBytes);
		rollOver(passage, salt, sieve => new DataView(trace.buffer).setUint32(0, sieve << 8));
		trace.set(await digest(salt, passage), sieveBytes);
		return trace;
	}));
	return {salt: toBase64(salt), passages: toBase64(concatenate([...new Map(traces.map(trace => [toBase64(trace), trace])).values()]))};
};

/** Searches bytes for passages by their traces. */
export class TraceSearch {
	readonly #salt: Uint8Array;
	readonly #passages: Uint8Array;
	/** The digests of the passages that are searched for, by the sieve's bits. */
	readonly #bySieve = new Map<number, Set<string>>();
	readonly #sieves = new Uint8Array(2 ** 20);

	constructor({salt, passages}: Traces) {
		this.#salt = fromBase64(salt);
		this.#passages = fromBase64(passages);
		for (const trace of this.#all()) {
			const sieve = sieveIn(trace);
			this.#sieves[sieve] = 1;
			this.#bySieve.set(sieve, (this.#bySieve.get(sieve) ?? new Set()).add(digestIn(trace)));
		}
	}

	/** The offsets at which passages are found. */
	async find(bytes: Uint8Array): Promise<number[]> {
		const candidates: Array<{sieve: number; at: number}> = [];
		rollOver(bytes, this.#salt, (sieve, at) => {
			if (this.#sieves[sieve] === 1) {
				candidates.push({sieve, at});
			}
		});
		const found = await Promise.all(candidates.map(async ({sieve, at}) =>
			this.#bySieve.get(sieve)!.has(toBase64(await digest(this.#salt, bytes.subarray(at, at + passageBytes)))) ? [at] : []));
		return found.flat();
	}

	/** Stops the search for passages that these bytes have. */
	async drop(bytes: Uint8Array): Promise<void> {
		for (const at of await this.find(bytes)) {
			const found = toBase64(await digest(this.#salt, bytes.subarray(at, at + passageBytes)));
			for (const digests of this.#bySieve.values()) {
				digests.delete(found);
			}
		}
	}

	/** The traces that are still searched for. */
	get traces(): Traces {
		const left = [...this.#all()].filter(trace => this.#bySieve.get(sieveIn(trace))!.has(digestIn(trace)));
		return {salt: toBase64(this.#salt), passages: toBase64(concatenate(left))};
	}

	* #all(): Generator<Uint8Array> {
		for (let at = 0; at < this.#passages.length; at += traceBytes) {
			yield this.#passages.subarray(at, at + traceBytes);
		}
	}
}

export const countTraces = ({passages}: Traces): number => fromBase64(passages).length / traceBytes;

const sieveIn = (trace: Uint8Array): number => new DataView(trace.buffer, trace.byteOffset).getUint32(0) >>> 8;

const digestIn = (trace: Uint8Array): string => toBase64(trace.subarray(sieveBytes));

const concatenate = (parts: ReadonlyArray<Uint8Array>): Uint8Array<ArrayBuffer> => Uint8Array.from(parts.flatMap(part => [...part]));

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, byte => String.fromCodePoint(byte)).join(''));

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), character => character.codePointAt(0)!);
