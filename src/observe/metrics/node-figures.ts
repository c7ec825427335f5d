/** What a node says of itself. The type is public, and so needs no package. */

/** How a node stands. What is counted is counted since its start. */
export type NodeFigures = {
	/** Identities that are here. */
	owned: number;
	/** Whether its session in the database holds its lock. */
	isMember: boolean;
	/** Identities that were opened here. */
	takeOvers: number;
	/** Identities that other nodes took over from here. */
	fenced: number;
	/** Requests to other nodes, by how they ended. */
	forwarded: Readonly<Record<string, number>>;
};
