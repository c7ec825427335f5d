// @ts-check
/** The view of the person: who it is, how it came here, what would change it. */
import {getById, throttle} from '../dom.js';
import {connectDecide} from './decide.js';
import {refreshDrift, showNoDrift} from './drift.js';
import {connectLedger, refreshLedger} from './ledger.js';
import {connectSay} from './say.js';
import {connectTimeline, refreshTimeline} from './timeline.js';
import {connectValidate} from './validate.js';
import {connectWaterfall, refreshWaterfall} from './waterfall.js';
import {connectWhatIf, refreshWhatIf, showWithout} from './what-if.js';
import {connectWho, refreshWho} from './who.js';
import {showHello} from './hello.js';

/** Reading the past takes the whole journal, so the next read waits this many times the duration of the last. */
const restFactor = 10;

const minRestMs = 1000;

const view = getById('person', HTMLElement);

/** Whether the identity has no texts, and so no past to read; null until known. @type {boolean | null} */
let isEmpty = null;

const isPageSeen = () => document.visibilityState === 'visible';

const isSeen = () => !view.hidden && isPageSeen();

/**
 * Reads a part of the past at once if it is visible, and again after a rest if the state has moved.
 *
 * @param {() => Promise<unknown>} read
 * @param {() => boolean} isWanted
 * @returns {(isUrgent: boolean) => void} Call it when the state has moved or the view is visible again; an urgent call skips the rest.
 */
const readWithRests = (read, isWanted = isSeen) => {
	let isStale = false;
	let isReading = false;
	let endsRest = false;
	/** @type {ReturnType<typeof setTimeout> | undefined} */
	let rest;
	const readIfStale = async () => {
		if (!isStale || isReading || rest !== undefined || !isWanted()) {
			return;
		}

		isReading = true;
		isStale = false;
		endsRest = false;
		const start = performance.now();
		await read();
		isReading = false;
		rest = setTimeout(wake, endsRest ? 0 : Math.max(minRestMs, (performance.now() - start) * restFactor));
	};

	const wake = () => {
		clearTimeout(rest);
		rest = undefined;
		void readIfStale();
	};

	return isUrgent => {
		isStale = true;
		endsRest ||= isUrgent;
		if (isUrgent) {
			wake();
		} else {
			void readIfStale();
		}
	};
};

/** Settled once drift and profile are shown: then the sections below them have their final position. */
const above = {drift: Promise.withResolvers(), who: Promise.withResolvers()};

const readPast = readWithRests(async () => {
	await Promise.all([refreshTimeline(), refreshLedger(showWithout), above.drift.promise, above.who.promise]);
	await Promise.all([refreshWaterfall(), refreshWhatIf()]);
});

/** The status bar shows the level of the drift above the machines, too. */
const readDrift = readWithRests(async () => {
	await refreshDrift(showWithout, isSeen);
	if (isSeen()) {
		above.drift.resolve(null);
	}
}, isPageSeen);

const readPresent = throttle(() => {
	if (isSeen()) {
		void refreshWho().then(above.who.resolve);
	}
}, 400);

/** Call it when the state has moved or the view is visible again. @param {{isUrgent?: boolean}} [options] Whether the user waits for it. */
export const refreshPerson = ({isUrgent = false} = {}) => {
	if (isEmpty !== null) {
		readPresent();
	}

	if (isEmpty === false) {
		readDrift(isUrgent);
		readPast(isUrgent);
	}
};

/** Greets the user of an identity without texts, and hides its past. @param {boolean} isSo Whether it has none. */
export const showWhetherEmpty = isSo => {
	if (isEmpty !== isSo) {
		const isFirstText = isEmpty === true;
		isEmpty = isSo;
		view.classList.toggle('empty', isSo);
		showHello(isSo);
		if (isSo) {
			showNoDrift();
		} else if (isFirstText) {
			// After a reset, the sections still show what was before it.
			refreshPerson({isUrgent: true});
		}
	}
};

export const connectPerson = () => {
	connectWho();
	connectValidate();
	connectTimeline();
	connectLedger(showWithout);
	connectWaterfall();
	connectSay();
	connectWhatIf();
	connectDecide();
	document.addEventListener('visibilitychange', () => refreshPerson());
};
