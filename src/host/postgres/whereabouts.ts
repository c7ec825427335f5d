/** Where an identity is: here, or at the node that requests for it are forwarded to. */
import {JournalError, MovedError, UnavailableError} from '../../platform/errors.ts';
import {requireIdentityName} from '../../platform/identity-name.ts';
import {withSignal} from '../../platform/waiting.ts';
import type {Placement} from '../host.ts';
import type {LiveIdentities} from '../live-identities.ts';
import type {Member} from './member.ts';
import type {Owners} from './owners.ts';

/** How often an identity is placed again that other nodes take at the same time. */
const maxTries = 5;

/** What a node knows of itself and of the others. */
export type Neighbourhood = {
	/** The address at which others reach this node. */
	url: string;
	member: Pick<Member, 'isTrusted' | 'number' | 'living' | 'trusted'>;
	owners: Pick<Owners, 'find' | 'ask' | 'forget'>;
	live: Pick<LiveIdentities, 'find' | 'get'>;
};

export class Whereabouts {
	readonly #known: Neighbourhood;
	#isStopping = false;

	constructor(known: Neighbourhood) {
		this.#known = known;
	}

	/** Whether this node takes nothing on, so that what it has can go to others. */
	get isStopping(): boolean {
		return this.#isStopping;
	}

	stop(): void {
		this.#isStopping = true;
	}

	/** Finds an identity, and takes it over where no living node has it. @throws what a host's `place` throws */
	place(name: string, signal?: AbortSignal): Placement | Promise<Placement> {
		return this.#recall(name) ?? withSignal(this.#search(requireIdentityName(name)).catch(toUnavailable), signal);
	}

	/** The address of the owner, after the one at `notAt` did not answer as its owner; this node's own where it is here. */
	async findOwner(name: string, notAt: string): Promise<string> {
		const {owners, url} = this.#known;
		if (owners.find(name)?.url === notAt) {
			owners.forget(name);
		}

		const placement = await this.place(name);
		return 'here' in placement ? url : placement.elsewhere;
	}

	/** What is known without a question to the database. */
	#recall(name: string): Placement | null {
		const {member, owners} = this.#known;
		if (!member.isTrusted) {
			return null;
		}

		const owner = owners.find(name);
		return this.#findHere(name)
			?? (owner && owner.number !== member.number && member.living.has(owner.number) ? {elsewhere: owner.url} : null);
	}

	#findHere(name: string): Placement | null {
		const here = this.#isStopping ? null : this.#known.live.find(name);
		return here && {here};
	}

	async #search(name: string): Promise<Placement> {
		const {member, owners, live} = this.#known;
		for (let tries = 1; ; tries++) {
			await member.trusted();
			const here = this.#findHere(name);
			if (here) {
				return here;
			}

			const owner = await owners.ask(name);
			if (owner && owner.number !== member.number) {
				return {elsewhere: owner.url};
			}

			if (this.#isStopping) {
				throw new MovedError(`This node is stopping and hands “${name}” over. Try again: another node will answer.`);
			}

			try {
				return {here: await live.get(name)};
			} catch (error) {
				if (!(error instanceof MovedError) || tries === maxTries) {
					throw error;
				}
			}
		}
	}
}

/** A database that is away for a moment is no fault of this program. */
const toUnavailable = (error: unknown): never => {
	throw error instanceof JournalError && !(error instanceof MovedError) && error.retryable
		? new UnavailableError(error.message, {cause: error, retryable: true})
		: error;
};
