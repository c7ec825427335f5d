// @ts-check
/**
 * The view of the machines: their statecharts and the events between their actors. The service
 * observes its machines only while a client follows them, so this view has a separate stream,
 * which begins when the view is first shown.
 */
import {requestJson} from '../api.js';
import {getById, html, throttle} from '../dom.js';
import {formatDuration} from '../format.js';
import {translated} from '../phrase.js';
import {followEvents} from '../stream.js';
import {Charts} from './charts.js';
import {History} from './history.js';
import {Sequence} from './sequence.js';

const retryMs = 2000;

/**
 * Loads a file, and tries again until the service can be reached.
 *
 * @param {string} file Relative to the page's bundled script, which includes this module.
 * @returns {Promise<any>}
 */
const load = file => requestJson('GET', new URL(file, import.meta.url).href).catch(async () => {
	await new Promise(resolve => {
		setTimeout(resolve, retryMs);
	});
	return load(file);
});

/** Draws the machines, and follows them from now on. */
export const openMachines = async () => {
	const [definitions, layouts] = await Promise.all([load('machines.json'), load('layouts.json')]);
	const history = new History();
	const charts = new Charts(getById('charts', HTMLDivElement), definitions, layouts);
	const warnings = getById('warnings', HTMLUListElement);

	/** The machines after the selected event; null while the view is live. */
	let selected = /** @type {import('./history.js').SystemSnapshot | null} */ (null);
	const showMachines = () => charts.show(selected ?? history.getSnapshot());
	const sequence = new Sequence(history, snapshot => {
		selected = snapshot;
		showMachines();
	});
	const refresh = throttle(() => {
		sequence.update();
		showMachines();
	}, 80);

	await followEvents({
		types: 'boot.step,@xstate.*',
		onConnection(connection) {
			charts.isLive = connection === 'live';
			showMachines();
		},
		onOtherRun() {
			history.clear();
			sequence.clear();
			charts.clear();
			warnings.replaceChildren();
		},
		onMessage({type, data}) {
			if (type === 'boot.step') {
				charts.reportPassed('boot', data.step, formatDuration(data.milliseconds));
				warnings.append(...data.warnings.map((/** @type {string} */ text) => html('li', {}, translated(text))));
			} else {
				const step = history.add(data);
				if (step && selected === null) {
					charts.follow(step);
				}
			}

			refresh();
		},
	});
};
