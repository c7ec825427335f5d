// @ts-check
/** The view of the person: who it is, how it came here, what would change it. */
import {getById, throttle} from '../dom.js';
import {connectDecide} from './decide.js';
import {refreshDrift} from './drift.js';
import {connectLedger, refreshLedger} from './ledger.js';
import {connectSay} from './say.js';
import {connectTimeline, refreshTimeline} from './timeline.js';
import {connectValidate} from './validate.js';
import {connectWaterfall, refreshWaterfall} from './waterfall.js';
import {connectWhatIf, refreshWhatIf, showWithout} from './what-if.js';
import {connectWho, refreshWho} from './who.js';
import {showHello} from './hello.js';

/** The past is read from the whole journal: after it, this many times its own duration passes before it is read again. */
const restFactor = 10;

const minRestMs = 1000;

const view = getById('person', HTMLElement);

/** Whether the identity has heard nothing: then there is no past to read. Null until it is known. @type {boolean | null} */
let isEmpty = null;

const isPageSeen = () => document.visibilityState === 'visible';

const isSeen = () => !view.hidden && isPageSeen();

/**
 * Reads a part of the past at once where it is seen, and again when the state has moved since, after a rest.
 *
 * @param {() => Promise<unknown>} read
 * @param {() => boolean} isWanted
 * @returns {(isUrgent: boolean) => void} Call it when the state has moved, or the view is seen again; without a rest where it is urgent.
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

/** Settled once drift and person were read: what stands below them has its place then. */
const above = {drift: Promise.withResolvers(), who: Promise.withResolvers()};

const readPast = readWithRests(async () => {
	await Promise.all([refreshTimeline(), refreshLedger(showWithout), above.drift.promise, above.who.promise]);
	await Promise.all([refreshWaterfall(), refreshWhatIf()]);
});

/** Its level stands above the machines, too. */
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

/** The state has moved, or the view is seen again. @param {{isUrgent?: boolean}} [options] Whether the user waits for it. */
export const refreshPerson = ({isUrgent = false} = {}) => {
	if (isEmpty !== null) {
		readPresent();
	}

	if (isEmpty === false) {
		readDrift(isUrgent);
		readPast(isUrgent);
	}
};

/** While nothing was said, says what this is and how to speak to it. @param {boolean} isSo Whether nothing was said. */
export const showWhetherEmpty = isSo => {
	if (isEmpty !== isSo) {
		isEmpty = isSo;
		view.classList.toggle('empty', isSo);
		showHello(isSo);
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
