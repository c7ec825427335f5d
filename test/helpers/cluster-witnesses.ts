/** Streams and reads of a cluster's identities while faults happen to it. */
import {setTimeout} from 'node:timers/promises';
import {createClient} from '../../src/client/create-client.ts';
import type {ClusterNode} from './cluster.ts';

/** A stream of an identity's cycles, which resumes at any node to which a balancer leads it. */
export class StreamWitness {
	readonly #received = new Set<string>();
	/** Ranges of records that were reported as missing. */
	readonly #missing: Array<{from: number; to: number}> = [];
	readonly #end = new AbortController();
	#lastEventId = '';
	readonly #listening: Promise<void>;
	/** Resolves with the first event, the present mode. Cycles before it need not be received. */
	readonly opened: Promise<void>;

	constructor(url: string) {
		const {promise, resolve} = Promise.withResolvers<void>();
		this.opened = promise;
		this.#listening = this.#listen(url, resolve);
	}

	async #listen(baseUrl: string, onOpen: () => void): Promise<void> {
		const {signal} = this.#end;
		const client = createClient({baseUrl});
		const types = ['mode.changed', 'cycle.done', 'stream.dropped'] as const;
		while (!signal.aborted) {
			try {
				const from = this.#lastEventId ? {lastEventId: this.#lastEventId} : {};
				for await (const {id, type, data} of client.events({types, signal, ...from})) {
					onOpen();
					const seq = Number.parseInt(id, 10);
					if (type === 'cycle.done') {
						this.#received.add(data.id);
					} else if (type === 'stream.dropped') {
						this.allowMissing(data.missed === null ? 0 : seq, data.missed === null ? seq : seq + data.missed);
					}

					this.#lastEventId = id;
				}
			} catch {
				await setTimeout(signal.aborted ? 0 : 100);
			}
		}
	}

	/**
	 * Records after one up to another may be missing. So may those with the numbers of lost ones: a stream that resumes
	 * after a lost record cannot distinguish it from another with its number.
	 */
	allowMissing(from: number, to: number): void {
		this.#missing.push({from, to});
	}

	/** Waits up to 30 s for the newest of these cycles. @returns how many were neither received nor reported as missing */
	async countMissed(cycles: ReadonlyArray<{readonly seq: number; readonly id: string}>): Promise<number> {
		for (let waited = 0; waited < 30_000 && !this.#received.has(cycles.at(-1)!.id); waited += 50) {
			await setTimeout(50);
		}

		this.#end.abort();
		await this.#listening;
		return cycles.filter(({seq, id}) => !this.#received.has(id) && !this.#missing.some(({from, to}) => seq > from && seq <= to)).length;
	}
}

/** What was acknowledged of an identity. */
export type Acknowledged = {
	/** The highest state id; 0 while the database may go back. */
	newest: number;
	isLosing: boolean;
	/** How often `isLosing` changed. */
	losses: number;
};

/** Reads states from each node, without a balancer. */
export class ReadWitness {
	reads = 0;
	/** Reads of a state that is older than one that was acknowledged before the read began. */
	stale = 0;
	#isOver = false;
	readonly #reading: Array<Promise<void>>;

	constructor(nodes: readonly ClusterNode[], subjects: ReadonlyArray<{readonly name: string; readonly latest: Acknowledged}>) {
		this.#reading = nodes.map(async ({url}) => {
			for (let i = 0; !this.#isOver; i++) {
				const {name, latest} = subjects[i % subjects.length]!;
				await this.#read(`${url}/identities/${name}/state`, latest).catch(() => {});
				await setTimeout(20);
			}
		});
	}

	async #read(url: string, latest: Acknowledged): Promise<void> {
		const {newest, losses} = latest;
		const response = await fetch(url, {signal: AbortSignal.timeout(20_000)});
		const {state_id: read} = await response.json() as {state_id: number};
		if (response.ok && losses === latest.losses) {
			this.reads++;
			this.stale += Number(read < newest);
		}
	}

	async end(): Promise<void> {
		this.#isOver = true;
		await Promise.all(this.#reading);
	}
}
