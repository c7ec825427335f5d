/** Where an identity is: here, or at the node that requests for it are forwarded to. */
import {JournalError, MovedError, UnavailableError} from '../../platform/errors.ts';
import {requireIdentityName} from '../../platform/identity-name.ts';
import {withSignal} from '../../platform/waiting.ts';
import type {Placement} from '../host.ts';
import type {LiveIdentities} from '../live-identities.ts';
import type {Member} from './member.ts';
import type {Owners} from './owners.ts';

/** How often to try to place an identity that other nodes take at the same time. */
const maxTries = 5;

/** What a node knows about itself and the others. */
export type Neighbourhood = {
	/** The address at which others reach this node. */
	url: string;
	member: Pick<Member, 'isTrusted' | 'number' | 'living' | 'trusted'>;
	owners: Pick<Owners, 'find' | 'ask' | 'forget'>;
	live: Pick<LiveIdentities, 'find' | 'get'>;
};

export class Whereabouts {
	readonly #known: Neighbourhood;
	/** Whether this node takes no more identities over, so that those it has can move to others. */
	isStopping = false;

	constructor(known: Neighbourhood) {
		this.#known = known;
	}

	/** Finds an identity, and takes it over if no living node has it. @throws the errors of a host's `place` */
	place(name: string, signal?: AbortSignal): Placement | Promise<Placement> {
		return this.#recall(name) ?? withSignal(this.#search(requireIdentityName(name)).catch(toUnavailable), signal);
	}

	/** The address of the owner, after the node at `notAt` did not answer as the owner; this node's address if it is here. */
	async findOwner(name: string, notAt: string): Promise<string> {
		const {owners, url} = this.#known;
		if (owners.find(name)?.url === notAt) {
			owners.forget(name);
		}

		const placement = await this.place(name);
		return 'here' in placement ? url : placement.elsewhere;
	}

	/** The placement, if it is known without a query. */
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
		const here = this.isStopping ? null : this.#known.live.find(name);
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

			if (this.isStopping) {
				throw new MovedError(`This node is stopping and is handing over “${name}”. Try again: another node will answer.`);
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

/** Makes an outage of the database an UnavailableError: it is no defect of this program. */
const toUnavailable = (error: unknown): never => {
	throw error instanceof JournalError && !(error instanceof MovedError) && error.retryable
		? new UnavailableError(error.message, {cause: error, retryable: true})
		: error;
};
