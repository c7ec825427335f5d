/** Watches an inspection in a test: keeps what it receives, with the JSON parsed. */
import type {Inspection, StreamFilter} from '../../src/observe/inspection.ts';

export type Heard = {id: string; type: string; data: Record<string, any>; json: string};

export const watching = (
	inspection: Inspection, {types, ...filter}: Partial<Omit<StreamFilter, 'types'>> & {types?: readonly string[]} = {},
) => {
	const heard: Heard[] = [];
	const stop = inspection.watch(
		{contents: false, history: false, after: null, ...filter, types: new Set(types ?? inspection.types)},
		({id, type, json}) => {
			heard.push({id, type, json, data: JSON.parse(json)});
		},
	);
	return {
		heard,
		stop,
		/** The types received, in order. */
		types: () => heard.map(({type}) => type),
		/** The data of one type. */
		of: (wanted: string) => heard.filter(({type}) => type === wanted).map(({data}) => data),
	};
};

/** The number of the latest event, which the present state carries as its id. */
export const latestOf = (inspection: Inspection): number => {
	const {heard: [state], stop} = watching(inspection, {types: ['state']});
	stop();
	return numberOf(state!);
};

export const numberOf = ({id}: Heard): number => Number(id.split('-').at(-1));
