/** How a node is reached: by other nodes at its address, and by the database on its channel. */
import {ConfigurationError} from '../../platform/errors.ts';
import {nameOf} from '../../platform/option-names.ts';
import type {Query, Session} from '../../platform/postgres/database.ts';
import {nodeLocks} from '../../platform/postgres/schema.ts';

/** The channel for names of identities that other nodes ask for, because they cannot reach this one at its address. */
export const channelOf = (node: number): string => `processual_node_${node}`;

/** Of two nodes that start with the same address, the later one is rejected. @throws {ConfigurationError} */
export const requireOwnAddress = async ({query}: Pick<Session, 'query'>, number: number, url: string): Promise<void> => {
	const [other] = await query(
		`select no from processual.node where url = $1 and no < $2 and no in (select objid::int8 from ${nodeLocks})`, [url, number],
	);
	if (other) {
		throw new ConfigurationError(`Another live node has the address ${url}: requests for one would reach the other. `
			+ `Give each node its own ${nameOf('node.url')}.`);
	}
};

/** Asks another node for an identity. Its session is notified at once. */
export const askNode = async (query: Query, node: number, name: string): Promise<void> => {
	await query('select pg_notify($1, $2)', [channelOf(node), name]);
};
