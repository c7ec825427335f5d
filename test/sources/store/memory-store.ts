/** A store in memory, filled by a test. */
import type {Store, StoredDirection, StoredState, StoredThought} from '../../../src/sources/store/store.ts';

type Holdings = {state?: StoredState | null; thoughts?: StoredThought[]; directions?: StoredDirection[]};

export const memoryStore = ({state = null, thoughts = [], directions = []}: Holdings): Store => ({
	place: 'the store',
	latestState: async () => state,
	thoughts: async limit => thoughts.slice(0, limit),
	nearestThoughts: async (_, {limit}) => thoughts.slice(0, limit).map(({vector}) => vector),
	directions: async () => directions,
	async close() {},
});
