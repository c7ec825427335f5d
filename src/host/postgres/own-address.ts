/** Where a node is reached: by other nodes at its address, and by the database at its channel. */
import {ConfigurationError} from '../../platform/errors.ts';
import {nameOf} from '../../platform/option-names.ts';
import type {Query, Session} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';

/** On which a node hears of identities that others ask for, because they cannot reach it at its address. */
export const channelOf = (node: number): string => `processual_node_${node}`;

/** Of two that begin with one address, the later one is refused. @throws {ConfigurationError} */
export const requireOwnAddress = async ({query}: Pick<Session, 'query'>, number: number, url: string): Promise<void> => {
	const [other] = await query(
		`select no from processual.node where url = $1 and no < $2 and no in (select objid::int8 from ${nodeLocks})`, [url, number],
	);
	if (other) {
		throw new ConfigurationError(`Another node that lives has the address ${url}: requests for one would reach the other. `
			+ `Give each node its own ${nameOf('node.url')}.`);
	}
};

/** Asks another node for an identity. It hears of it at once, by its session. */
export const askNode = async (query: Query, node: number, name: string): Promise<void> => {
	await query('select pg_notify($1, $2)', [channelOf(node), name]);
};
