// @ts-check
/** The page, put together: what comes from the service's stream, and where it is shown. */
import {Charts} from './charts.js';
import {connectControls, showDaemon} from './controls.js';
import {CyclesChart} from './cycles-chart.js';
import {showDistances} from './distances.js';
import {byId, html, soon} from './dom.js';
import {ask} from './api.js';
import {History} from './history.js';
import {duration} from './format.js';
import {refreshProfile} from './profile.js';
import {Sequence} from './sequence.js';
import {showConnection, showLevel, showLoop, showMode, showStateId, showStore, warn} from './status-bar.js';
import {follow} from './stream.js';

const history = new History();
const cycles = new CyclesChart();
const machines = await (await fetch(new URL('machines.json', import.meta.url))).json();
const charts = new Charts(byId('charts', HTMLDivElement), machines);

/** The picture of a selected event, while there is one. */
let past = /** @type {import('./history.js').Picture | null} */ (null);
const showPicture = () => charts.show(past ?? history.picture());
const sequence = new Sequence(history, picture => {
	past = picture;
	showPicture();
});
const refresh = soon(() => {
	sequence.update();
	showPicture();
}, 80);

/** @param {boolean} isRunning */
const hearLoop = isRunning => {
	showLoop(isRunning);
	showDaemon(isRunning);
};

/** @param {{mode: string, daemon_running: boolean}} daemon */
const hearMode = ({mode, daemon_running: isRunning}) => {
	showMode(mode);
	hearLoop(isRunning);
};

/** What each event of the domain means to the page. @type {Record<string, (data: any) => void>} */
const hearers = {
	'mode.changed': hearMode,
	'daemon.started': () => hearLoop(true),
	'daemon.stopped': () => hearLoop(false),
	'boot.step'({step, milliseconds, warnings}) {
		charts.passed('boot', step, duration(milliseconds));
		byId('warnings', HTMLUListElement).append(...warnings.map((/** @type {string} */ text) => html('li', {}, text)));
		refresh();
	},
	'cycle.done'(cycle) {
		cycles.add(cycle);
		warn('');
	},
	'cycle.failed': ({message}) => warn(`The last cycle failed: ${message}`),
	'vigilance.level': ({level}) => showLevel(level),
	'journal.failed': ({message}) => warn(`The journal cannot be written, and nothing can be changed: ${message}`),
	'journal.mended': () => warn(''),
	'stream.dropped': ({missed}) => warn(missed === null ? '' : `This page was too slow, or away for too long: ${missed} events are missing.`),
	state({state_id: id, level, distances}) {
		showStateId(id);
		showLevel(level);
		showDistances(distances);
		refreshProfile();
	},
};

/** What no event tells when nothing happens. */
const readStanding = async () => {
	// A service that is not ready says why elsewhere.
	const readiness = ask('GET', 'readyz').catch(() => ({parts: {store: 'ok'}}));
	const [daemon, health, vigilance, {parts}] = await Promise.all([ask('GET', 'daemon/status'), ask('GET', 'health'), ask('GET', 'vigilance'), readiness]);
	showStore(parts.store);
	hearMode(daemon);
	showStateId(health.state_id);
	showLevel(vigilance.level);
	byId('model', HTMLElement).textContent = health.embedding_model;
	refreshProfile();
};

connectControls({onReset: () => void readStanding().catch(() => {})});
await Promise.allSettled([charts.draw(), readStanding()]);
showPicture();

await follow({
	onConnection: showConnection,
	onOtherRun() {
		history.clear();
		cycles.clear();
		sequence.clear();
		byId('warnings', HTMLUListElement).replaceChildren();
		void readStanding().catch(() => {});
	},
	onMessage({type, data}) {
		if (type.startsWith('@xstate.')) {
			const done = history.take(data);
			if (done && past === null) {
				charts.follow(done.session, done.before.value, done.event);
			}

			refresh();
		} else {
			hearers[type]?.(data);
		}
	},
});
