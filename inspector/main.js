// @ts-check
/** The page: connects the service's stream of events to the parts that show them. */
import {requestJson} from './api.js';
import {Charts} from './machines/charts.js';
import {connectControls, showDaemon} from './controls.js';
import {CyclesChart} from './cycles-chart.js';
import {showDistances} from './distances.js';
import {getById, html, throttle} from './dom.js';
import {formatDuration} from './format.js';
import {History} from './machines/history.js';
import {refreshProfile} from './profile.js';
import {Sequence} from './machines/sequence.js';
import {showConnection, showLevel, showLoop, showMode, showModel, showNotice, showStateId, showStore} from './status-bar.js';
import {followEvents} from './stream.js';

const history = new History();
const cycles = new CyclesChart();
const [machines, layouts] = await Promise.all(['machines.json', 'vendor/layouts.json'].map(async file => (await fetch(new URL(file, import.meta.url))).json()));
const charts = new Charts(getById('charts', HTMLDivElement), machines, layouts);

/** The machines after the selected event; null while the page is live. */
let selected = /** @type {import('./machines/history.js').SystemSnapshot | null} */ (null);
const showMachines = () => charts.show(selected ?? history.getSnapshot());
const sequence = new Sequence(history, snapshot => {
	selected = snapshot;
	showMachines();
});
const refresh = throttle(() => {
	sequence.update();
	showMachines();
}, 80);

/** @param {boolean} isRunning */
const updateLoop = isRunning => {
	showLoop(isRunning);
	showDaemon(isRunning);
};

/** @param {{mode: string, daemon_running: boolean}} daemon */
const updateMode = ({mode, daemon_running: isRunning}) => {
	showMode(mode);
	updateLoop(isRunning);
};

/** What the page does at each event of the identity. @type {Record<string, (data: any) => void>} */
const listeners = {
	'mode.changed': updateMode,
	'daemon.started': () => updateLoop(true),
	'daemon.stopped': () => updateLoop(false),
	'boot.step'({step, milliseconds, warnings}) {
		charts.reportPassed('boot', step, formatDuration(milliseconds));
		getById('warnings', HTMLUListElement).append(...warnings.map((/** @type {string} */ text) => html('li', {}, text)));
		refresh();
	},
	'cycle.done'(cycle) {
		cycles.add(cycle);
		showNotice('');
	},
	'cycle.failed': ({message}) => showNotice(`The last cycle failed: ${message}`),
	'vigilance.level': ({level}) => showLevel(level),
	'journal.failed': ({message}) => showNotice(`The journal cannot be written; until it can, the state does not change: ${message}`),
	'journal.recovered': () => showNotice(''),
	'stream.dropped': ({missed}) => showNotice(missed === null ? '' : `${missed} events are missing: this page was too slow, or disconnected for too long.`),
	state({state_id: id, level, distances}) {
		showStateId(id);
		showLevel(level);
		showDistances(distances);
		refreshProfile();
	},
};

/** Requests what the stream does not send: the store's status and the embedding model. */
const loadStatus = () => Promise.allSettled([
	requestJson('GET', 'readyz').then(({parts}) => showStore(parts.store)),
	requestJson('GET', 'health').then(({embedding_model: model}) => showModel(model)),
]);

connectControls();
charts.draw();
await loadStatus();
showMachines();

await followEvents({
	onConnection: showConnection,
	onOtherRun() {
		history.clear();
		cycles.clear();
		sequence.clear();
		getById('warnings', HTMLUListElement).replaceChildren();
		void loadStatus();
	},
	onMessage({type, data}) {
		if (type.startsWith('@xstate.')) {
			const step = history.add(data);
			if (step && selected === null) {
				charts.follow(step);
			}

			refresh();
		} else {
			listeners[type]?.(data);
		}
	},
});
