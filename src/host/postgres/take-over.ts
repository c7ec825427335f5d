/** Opens identities as their owner, and closes those that other nodes have taken over: only an owner answers from memory. */
import type {Taker} from '../../journal/postgres/identity-rows.ts';
import type {LocalIdentity} from '../../identity/identity.ts';
import type {Genesis, Journal} from '../../journal/journal.ts';
import {MovedError, orUndo} from '../../platform/errors.ts';
import {beginNew, requireBegun, requireNew, type Open} from '../beginning.ts';
import type {Beginning} from '../host.ts';
import type {LiveIdentities} from '../live-identities.ts';
import type {Directory} from './directory.ts';
import type {Member} from './member.ts';

export type TakeOverOptions = {
	defaultName: string;
	/** The wait between two cycles of a loop. */
	cycleIntervalMs: number;
	/** The journal of an identity, whose opening takes it over for this node. */
	journalOf(name: string, taker: Taker): Journal;
	open: Open;
};

type Entries = Pick<Directory, 'standing' | 'ownedBy' | 'putLoopOff'>;

export class TakeOver {
	readonly #options: TakeOverOptions;
	readonly #directory: Entries;
	readonly #member: Pick<Member, 'number' | 'joins' | 'untilGone'>;
	/** How many identities were opened here, and how many other nodes took over from here. */
	readonly counts = {takeOvers: 0, fenced: 0};

	constructor(options: TakeOverOptions, directory: Entries, member: Pick<Member, 'number' | 'joins' | 'untilGone'>) {
		this.#options = options;
		this.#directory = directory;
		this.#member = member;
	}

	/** Opens an identity that has begun, and resumes its loop. @throws {MovedError} if another node was faster */
	async open(name: string): Promise<LocalIdentity> {
		const {defaultName, journalOf, open} = this.#options;
		const journal = journalOf(name, takerOf(this.#member));
		const identity = await open(name, name === defaultName ? journal : requireBegun(journal, name));
		const dueMs = await orUndo(async () => this.#settle(name), async () => identity.dispose());
		if (dueMs !== null) {
			identity.actor.send({type: 'daemon.resume', dueMs});
		}

		this.counts.takeOvers++;
		// A listener at the actor does not keep the identity in memory.
		identity.actor.on('moved', () => {
			this.counts.fenced++;
		});
		identity.actor.on('cycle.failed', ({origin}) => {
			if (origin === 'daemon') {
				void this.#putOff(name);
			}
		});
		return identity;
	}

	async begin(name: string, genesis: Genesis | null, {state}: Beginning): Promise<void> {
		const {journalOf, open} = this.#options;
		await beginNew(open, name, requireNew(journalOf(name, takerOf(this.#member)), name), genesis, state);
	}

	async closeLost(live: Pick<LiveIdentities, 'names' | 'find'>): Promise<void> {
		const names = live.names();
		if (names.length > 0) {
			const kept = await this.#directory.ownedBy(this.#member.number, names);
			await Promise.all(names.filter(name => !kept.has(name)).map(async name => live.find(name)?.dispose()));
		}
	}

	/** Postpones a loop that failed, so that it is not due as soon as its identity has left memory. */
	async #putOff(name: string): Promise<void> {
		try {
			await this.#directory.putLoopOff(name, this.#member.number, this.#options.cycleIntervalMs, {frees: false});
		} catch {
			// The database is unreachable. Then the loop is tried earlier.
		}
	}

	/** Makes sure that this node owns an identity it has just opened. @returns in how many ms its loop is due; null without a loop */
	async #settle(name: string): Promise<number | null> {
		for (;;) {
			const {joins} = this.#member;
			const standing = await this.#directory.standing(name);
			if (standing?.node !== this.#member.number) {
				throw new MovedError(`Another node took over “${name}” while it was being opened here.`);
			}

			// A lock that was lost in between may have let another node in.
			if (joins === this.#member.joins) {
				return standing.dueMs;
			}
		}
	}
}

/** A node as a taker of identities. */
export const takerOf = (member: Pick<Member, 'number' | 'untilGone'>): Taker =>
	({node: member.number, untilGone: async node => member.untilGone(node)});
