// @ts-check
/** The page: connects the service's stream of events to the views of the person and of the machines. */
import {namedIdentity, requestJson} from './api.js';
import {formatChance, formatDate, formatNumber, formatShare} from './format.js';
import {connectIdentities, refreshIdentities} from './identities.js';
import {connectControls, showDaemon} from './machines/controls.js';
import {openMachines} from './machines/machines.js';
import {clearNotices, showNotice} from './notices.js';
import {clearFailures} from './outcome.js';
import {getById, throttle, whenNear} from './dom.js';
import {describeMoved} from './person/conversation-chart.js';
import {connectPerson, refreshPerson, showWhetherEmpty} from './person/person.js';
import {showBeginning} from './person/who.js';
import {showLanguages} from './person/hello.js';
import {formatFixed, phrase} from './phrase.js';
import {showConnection, showLevel, showLoop, showMode, showModel, showStateId} from './status-bar.js';
import {followEvents} from './stream.js';
import {connectTabs} from './tabs.js';
import {connectWords} from './words.js';

/** @param {boolean} isRunning */
const updateLoop = isRunning => {
	showLoop(isRunning);
	showDaemon(isRunning);
};

/** States that arrive together, such as those at the start of the stream, cause one refresh. */
const refreshSoon = throttle(refreshPerson, 0);

/** What the page does on each event of the identity. @type {Record<string, (data: any) => void>} */
const listeners = {
	'mode.changed'({mode, daemon_running: isRunning}) {
		showMode(mode);
		updateLoop(isRunning);
	},
	'daemon.started': () => updateLoop(true),
	'daemon.stopped': () => updateLoop(false),
	'cycle.done': () => showNotice('cycle', ''),
	'cycle.failed': ({message}) => showNotice('cycle', phrase`The last cycle failed: ${message}`),
	'vigilance.level': ({level}) => showLevel(level),
	'journal.failed': ({message}) => showNotice('journal', phrase`The journal cannot be written; until it can, the state does not change: ${message}`),
	'journal.recovered': () => showNotice('journal', ''),
	'drift.alarm'({voice, span, reading, limit, since, blame: [first], moved}) {
		showNotice('drift', [
			voice === 'heard'
				? phrase`Drift of what I heard: over about ${span} conversations the chart’s reading is ${formatFixed(reading, 2)}, above its limit ${formatFixed(limit, 2)}.`
				: phrase`Drift of what I said: over about ${span} conversations the chart’s reading is ${formatFixed(reading, 2)}, above its limit ${formatFixed(limit, 2)}.`,
			first && phrase`“${first.source}” accounts for the largest part, ${formatShare(first.share)}.`,
			describeMoved(moved),
			since && phrase`It seems to have begun on ${formatDate(since.timestamp)}.`,
		].filter(Boolean).join(' '));
		refreshPerson();
	},
	'echo.noticed': ({source, cosine, threshold}) => showNotice('echo', phrase`A text of ${source} was nearly my own words: cosine ${formatNumber(cosine)}; ordinary texts stay under ${formatNumber(threshold)}.`),
	'source.noticed': ({source, share, p}) => showNotice('source', phrase`“${source}” pushes more than any one source does by chance (${formatChance(p)}): ${formatShare(share)} of my difference from ordinary talk.`),
	'source.taken_up': ({source, p, effect}) => showNotice('uptake', phrase`I speak ${formatNumber(effect)} deviations more like “${source}” in other conversations (${formatChance(p)}).`),
	'source.changed': ({source, p}) => showNotice('change', phrase`“${source}” talks differently than before the validation (${formatChance(p)}).`),
	'identity.validated'() {
		for (const kind of /** @type {const} */ (['drift', 'echo', 'source', 'change', 'uptake'])) {
			showNotice(kind, '');
		}

		refreshPerson({isUrgent: true});
	},
	'identity.revised': () => refreshPerson({isUrgent: true}),
	'cycle.held': () => refreshSoon(),
	'held.released': () => refreshPerson({isUrgent: true}),
	'held.dropped': () => refreshPerson({isUrgent: true}),
	state({state_id: id, level}) {
		showStateId(id);
		showLevel(level);
		showWhetherEmpty(id === 0);
		refreshSoon();
	},
};

/** @param {{parts: Record<string, string>, languages?: string[]}} readiness */
const showReadiness = ({parts, languages}) => {
	showBeginning(parts['store'] === 'ok' ? '' : parts['store'] ?? '');
	showLanguages(languages);
};

/** Requests the name of the embedding model for the footer. */
const refreshModel = whenNear(getById('model', HTMLElement), () => requestJson('GET', 'health').then(({embedding_model: model}) => showModel(model), () => {}));

/** Requests what the stream does not send: how the identity began, its embedding model, and the other identities. */
const loadStatus = () => Promise.allSettled([
	requestJson('GET', 'readyz').then(showReadiness),
	refreshModel(),
	refreshIdentities(),
]);

let areMachinesOpen = false;

connectIdentities();
connectWords();
connectControls();
connectPerson();
connectTabs(view => {
	if (view === 'person') {
		refreshPerson({isUrgent: true});
	} else if (!areMachinesOpen) {
		areMachinesOpen = true;
		void openMachines();
	}
});
await followEvents({
	types: Object.keys(listeners).join(','),
	onConnection(connection, reason) {
		showConnection(connection);
		showNotice('identity', connection === 'unknown' ? phrase`There is no identity “${namedIdentity ?? ''}”: it was put aside, or never created.` : reason);
		if (connection !== 'lost') {
			void loadStatus();
		}

		if (connection === 'live') {
			showNotice('stream', '');
			clearFailures();
			// Requests during a break have failed, and perhaps no event follows.
			refreshPerson();
		} else if (connection === 'none') {
			showWhetherEmpty(false);
			refreshPerson();
		}
	},
	onOtherRun: clearNotices,
	onMessage({type, data}) {
		if (type === 'stream.dropped') {
			showNotice('stream', data.missed === null ? '' : phrase`${data.missed} events are missing: this page was too slow, or disconnected for too long.`);
		} else {
			listeners[type]?.(data);
		}
	},
});
