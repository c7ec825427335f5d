/** Metrics of a node among others, read at each scrape. No label names an identity: there may be a million. */
import {Counter, Gauge, type Registry} from 'prom-client';
import type {NodeFigures} from './observed.ts';

export const registerNode = (registry: Registry, read: () => NodeFigures): void => {
	const gauge = (name: string, help: string, value: (figures: NodeFigures) => number): void => {
		registry.registerMetric(new Gauge({
			name, help, registers: [],
			collect() {
				this.set(value(read()));
			},
		}));
	};

	const counter = (name: string, help: string, value: (figures: NodeFigures) => number): void => {
		registry.registerMetric(new Counter({
			name, help, registers: [],
			collect() {
				this.reset();
				this.inc(value(read()));
			},
		}));
	};

	gauge('processual_node_owned', 'Identities that this node has.', ({owned}) => owned);
	gauge(
		'processual_node_member', 'Whether the node holds its lock in the database, and so may answer from memory.',
		({isMember}) => Number(isMember),
	);
	counter('processual_node_takeovers_total', 'Identities that were opened here.', ({takeOvers}) => takeOvers);
	counter('processual_node_fenced_total', 'Identities that other nodes took over from here.', ({fenced}) => fenced);
	counter('processual_node_lost_total', 'Identities of which the database has lost acknowledged records.', ({lost}) => lost);
	registry.registerMetric(new Counter({
		name: 'processual_node_forwarded_total',
		help: 'Tries to have a request answered by another node, by how they ended.',
		labelNames: ['outcome'],
		registers: [],
		collect() {
			this.reset();
			for (const [outcome, count] of Object.entries(read().forwarded)) {
				this.inc({outcome}, count);
			}
		},
	}));
};
