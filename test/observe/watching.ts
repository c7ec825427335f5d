/** Watches an inspection in a test: keeps what it receives, with the JSON parsed. */
import type {Inspection, StreamFilter} from '../../src/observe/inspection.ts';

export type Received = {id: string; type: string; data: Record<string, any>; json: string};

export const watching = (
	inspection: Inspection, {types, ...filter}: Partial<Omit<StreamFilter, 'types'>> & {types?: readonly string[]} = {},
) => {
	const received: Received[] = [];
	const stop = inspection.watch(
		{contents: false, history: false, after: null, ...filter, types: new Set(types ?? inspection.types)},
		({id, type, json}) => {
			received.push({id, type, json, data: JSON.parse(json)});
		},
	);
	return {
		received,
		stop,
		/** The types received, in order. */
		types: () => received.map(({type}) => type),
		/** The data of one type. */
		of: (wanted: string) => received.filter(({type}) => type === wanted).map(({data}) => data),
	};
};

/** The number of the latest event, which the present state carries as its id. */
export const latestOf = (inspection: Inspection): number => {
	const {received: [state], stop} = watching(inspection, {types: ['state']});
	stop();
	return numberOf(state!);
};

export const numberOf = ({id}: Received): number => Number(id.split('-').at(-1));
