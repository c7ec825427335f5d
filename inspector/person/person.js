// @ts-check
/** The view of the person: who it is, how it came here, what would change it. */
import {getById, throttle} from '../dom.js';
import {connectLedger, refreshLedger} from './ledger.js';
import {connectSay} from './say.js';
import {connectTimeline, refreshTimeline} from './timeline.js';
import {connectWaterfall, refreshWaterfall} from './waterfall.js';
import {connectWhatIf, refreshWhatIf, showWithout} from './what-if.js';
import {connectWho, refreshWho} from './who.js';
import {refreshChoices} from './choices.js';

/** The past is read from the whole journal: after it, this many times its own duration passes before it is read again. */
const restFactor = 10;

const minRestMs = 1000;

const view = getById('person', HTMLElement);

/** Whether the state has moved since the past was read. */
let isStale = true;
let isReading = false;

const isSeen = () => !view.hidden && document.visibilityState === 'visible';

/** Reads the past if it is seen and has changed. */
const readPast = async () => {
	if (!isStale || isReading || !isSeen()) {
		return;
	}

	isReading = true;
	isStale = false;
	const start = performance.now();
	await Promise.all([refreshChoices(), refreshTimeline(), refreshLedger(showWithout)]);
	await Promise.all([refreshWaterfall(), refreshWhatIf()]);
	setTimeout(() => {
		isReading = false;
		void readPast();
	}, Math.max(minRestMs, (performance.now() - start) * restFactor));
};

const readPresent = throttle(() => {
	if (isSeen()) {
		void refreshWho();
	}
}, 400);

/** The state has moved, or the view is seen again. */
export const refreshPerson = () => {
	isStale = true;
	readPresent();
	void readPast();
};

export const connectPerson = () => {
	connectWho();
	connectTimeline();
	connectLedger(showWithout);
	connectWaterfall();
	connectSay();
	connectWhatIf();
	document.addEventListener('visibilitychange', refreshPerson);
};
