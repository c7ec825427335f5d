/** That the service runs, since when, and with which state. */
import {integer, number, shape, text, word} from '../../wire/builders.ts';

/** The version of the interface. The package has its own. */
export const interfaceVersion = '0.7.0';

export const Health = shape('Health', 'The service runs.', {
	status: word('Always ok.', ['ok']),
	version: text('Version of the interface.', interfaceVersion),
	uptimeSeconds: number('Time since startup; 0 if not started.', 3600.5, {unit: 's', minimum: 0}),
	stateId: integer('Number of the current state; -1 if there is none.', 42, {minimum: -1}),
	embeddingModel: text('Configured identifier of the embedding model.', 'example/text-embedding-1024'),
});
