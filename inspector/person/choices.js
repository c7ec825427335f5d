// @ts-check
/** What the sections let the user choose from: the directions that texts move, and the sources of the texts. */
import {requestJson} from '../api.js';
import {getById, html} from '../dom.js';
import {askInstrument, toQuery} from './instruments.js';
import {offerDirections} from './waterfall.js';
import {offerSources} from './what-if.js';

/** @typedef {import('./entries.js').Entry} Entry */

/** More sources than this cannot be overlooked. */
const maxSources = 40;

const offerDirectionsNow = async () => {
	const {directions} = await requestJson('GET', 'profile/scaled?lens=thirdness');
	offerDirections(directions);
};

const offerSourcesNow = async () => {
	const ledger = await askInstrument(getById('without', HTMLElement), `ledger?${toQuery({by: 'source', limit: maxSources})}`);
	if (ledger) {
		const sources = /** @type {Entry[]} */ (ledger.entries).filter(({kind}) => kind === 'texts');
		offerSources(sources);
		getById('known-sources', HTMLDataListElement).replaceChildren(...sources.map(({key}) => html('option', {value: key})));
	}
};

/** Requests what there is to choose from. */
export const refreshChoices = () => Promise.allSettled([offerDirectionsNow(), offerSourcesNow()]);
