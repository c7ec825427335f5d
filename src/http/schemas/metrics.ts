/** Counts of what the service has done. */
import {integer, map, number, shape, text, word} from '../../wire/builders.ts';

export const Metrics = shape('Metrics', 'Counts of what the service has done.', {
	status: word('Overall status: critical after a critical alert in the last hour, warning after more than two warnings.', ['healthy', 'warning', 'critical']),
	uptimeHours: number('Time since startup or the last reset.', 1.5, {unit: 'h', minimum: 0}),
	totalCycles: integer('Cycles done since startup or the last reset.', 120, {minimum: 0}),
	cyclesLastHour: integer('Cycles done in the last hour.', 4, {minimum: 0}),
	alerts: map('Alerts of the last hour, by level.', integer('How many cycles ended in it.', 0, {minimum: 0}), {critical: 0, warning: 1}),
});

export const MetricsText = text('Every metric, in Prometheus’s text format, version 0.0.4. Before the identity is ready, it has the metrics that exist by then.', '# HELP processual_state_id Number of the current state; -1 while there is none.\n# TYPE processual_state_id gauge\nprocessual_state_id 42\n');
