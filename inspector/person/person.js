// @ts-check
/** The view of the person: who it is, how it came here, what would change it. */
import {getById, throttle} from '../dom.js';
import {refreshDrift} from './drift.js';
import {connectLedger, refreshLedger} from './ledger.js';
import {connectSay} from './say.js';
import {connectTimeline, refreshTimeline} from './timeline.js';
import {connectValidate} from './validate.js';
import {connectWaterfall, refreshWaterfall} from './waterfall.js';
import {connectWhatIf, refreshWhatIf, showWithout} from './what-if.js';
import {connectWho, refreshWho} from './who.js';
import {refreshChoices} from './choices.js';

/** The past is read from the whole journal: after it, this many times its own duration passes before it is read again. */
const restFactor = 10;

const minRestMs = 1000;

const view = getById('person', HTMLElement);

const isSeen = () => !view.hidden && document.visibilityState === 'visible';

/**
 * Reads a part of the past at once where it is seen, and again when the state has moved since, after a rest.
 *
 * @param {() => Promise<unknown>} read
 * @returns {() => void} Call it when the state has moved, or the view is seen again.
 */
const readWithRests = read => {
	let isStale = false;
	let isReading = false;
	const readIfStale = async () => {
		if (!isStale || isReading || !isSeen()) {
			return;
		}

		isReading = true;
		isStale = false;
		const start = performance.now();
		await read();
		setTimeout(() => {
			isReading = false;
			void readIfStale();
		}, Math.max(minRestMs, (performance.now() - start) * restFactor));
	};

	return () => {
		isStale = true;
		void readIfStale();
	};
};

const readPast = readWithRests(async () => {
	await Promise.all([refreshChoices(), refreshTimeline(), refreshLedger(showWithout)]);
	await Promise.all([refreshWaterfall(), refreshWhatIf()]);
});

const readDrift = readWithRests(() => refreshDrift(showWithout));

const readPresent = throttle(() => {
	if (isSeen()) {
		void refreshWho();
	}
}, 400);

/** The state has moved, or the view is seen again. */
export const refreshPerson = () => {
	readPresent();
	readPast();
	readDrift();
};

export const connectPerson = () => {
	connectWho();
	connectValidate();
	connectTimeline();
	connectLedger(showWithout);
	connectWaterfall();
	connectSay();
	connectWhatIf();
	document.addEventListener('visibilitychange', refreshPerson);
};
