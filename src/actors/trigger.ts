/**
 * What sets a cycle off. Four kinds are known and counted; a caller may name any other, which
 * is kept as it stands and treated like a conversation.
 */

export const knownTriggers = ['user', 'veille', 'corpus', 'rumination_free'] as const;

/** What sets off a cycle, of that which is counted by name. */
export type KnownTrigger = (typeof knownTriggers)[number];

export const isKnown = (trigger: string): trigger is KnownTrigger => (knownTriggers as readonly string[]).includes(trigger);

/** Triggers of the process itself, thinking on its own. */
export const isAutonomous = (trigger: string): boolean => trigger === 'rumination_free' || trigger === 'corpus';

/** What set off the last cycle. */
export type LastTrigger = {
	type: string;
	/** ISO 8601, UTC. */
	timestamp: string;
	/** The same moment on the monotonic clock, in milliseconds. */
	elapsed: number;
};

/** How many cycles each known trigger set off. */
export type Counters = Readonly<Record<KnownTrigger, number>>;

export const noCycles: Counters = Object.freeze({user: 0, veille: 0, corpus: 0, rumination_free: 0});

/** Counts a trigger of a known kind; another kind changes nothing. */
export const countTrigger = (counters: Counters, trigger: string): Counters =>
	isKnown(trigger) ? {...counters, [trigger]: counters[trigger] + 1} : counters;
