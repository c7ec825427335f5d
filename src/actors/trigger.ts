/**
 * Triggers of cycles. Four are known and counted. A caller may name any other, which is stored unchanged and treated like
 * a conversation.
 */

export const knownTriggers = ['user', 'veille', 'corpus', 'rumination_free'] as const;

/** A trigger that is counted by name. */
export type KnownTrigger = (typeof knownTriggers)[number];

export const isKnown = (trigger: string): trigger is KnownTrigger => (knownTriggers as readonly string[]).includes(trigger);

export const isAutonomous = (trigger: string): boolean => trigger === 'rumination_free' || trigger === 'corpus';

/** The trigger of the last cycle, with its time. */
export type LastTrigger = {
	type: string;
	/** ISO 8601, UTC. */
	timestamp: string;
	/** The same time in monotonic milliseconds. */
	elapsed: number;
};

/** Cycles by known trigger. */
export type Counters = Readonly<Record<KnownTrigger, number>>;

export const noCycles: Counters = Object.freeze({user: 0, veille: 0, corpus: 0, rumination_free: 0});

/** Counts a known trigger; any other changes nothing. */
export const countTrigger = (counters: Counters, trigger: string): Counters =>
	isKnown(trigger) ? {...counters, [trigger]: counters[trigger] + 1} : counters;
