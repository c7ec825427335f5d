// @ts-check
/** The fleet page: a table of all identities, those with the strongest evidence of drift first, refreshed every two seconds. */
import {addressOf, describeError, requestChange} from './api.js';
import {getById, html, svg, throttle} from './dom.js';
import {formatDate, formatNumber, formatSmallP, formatShare} from './format.js';
import {formatCount, formatInteger, phrase, phraseParts} from './phrase.js';

/**
 * @typedef {{id: string, texts: number, last_text: string | null, held: number, validated: string | null, alarm: boolean, p: number | null,
 * tail_p: number | null, named: boolean, top_source: {source: string, share: number | null} | null, readings: number[], is_current: boolean}} Identity
 * @typedef {{source: string, identities: number, p: number, named: boolean}} Mover
 * @typedef {{identities: Identity[], sources: Mover[], found: number, total: number, named: number, alarms: number, behind: number, next: string | null}} Fleet
 */

const refreshMs = 2000;

/** How many rows “More” adds, and how many are shown at most; a search by name finds the others. */
const [pageSize, maxRows] = [100, 1000];

const name = getById('fleet-name', HTMLInputElement);
const only = getById('fleet-only', HTMLSelectElement);
const order = getById('fleet-order', HTMLSelectElement);
const rows = getById('fleet-rows', HTMLTableSectionElement);
const movers = getById('fleet-sources', HTMLUListElement);
const more = getById('fleet-more', HTMLButtonElement);
const note = getById('fleet-note', HTMLParagraphElement);
const notices = getById('notices', HTMLElement);

let limit = pageSize;
/** Numbers the requests: only the answer to the last one is shown. */
let requests = 0;
/** The path and the ETag of the answer that is shown. While nothing changes, a refresh transfers no rows. */
let answered = {path: '', tag: ''};
/** The rows that are shown, with the JSON that they were created from. @type {Map<string, {text: string, row: HTMLTableRowElement}>} */
let shown = new Map();

const [width, height] = [96, 24];

/** The readings as a curve; the line is the limit. @param {readonly number[]} readings @param {boolean} isAlarm */
const drawReadings = (readings, isAlarm) => {
	if (readings.length === 0) {
		return '–';
	}

	const top = Math.max(1.25, ...readings);
	/** @param {number} reading */
	const yOf = reading => (height - 1 - reading / top * (height - 2)).toFixed(1);
	const points = readings.map((reading, i) => `${(width - (readings.length - 1 - i) * 3 - 2).toFixed(0)},${yOf(reading)}`);
	const last = points.at(-1)?.split(',') ?? [];
	const newest = readings.at(-1) ?? 0;
	return svg(
		'svg', {
			'viewBox': `0 0 ${width} ${height}`, width, height, 'class': 'readings', 'role': 'img',
			'aria-label': phrase`The newest reading is ${formatNumber(newest)} of its limit`, 'data-alarm': isAlarm,
		},
		svg('line', {x1: 0, x2: width, y1: yOf(1), y2: yOf(1)}),
		svg('polyline', {points: points.join(' ')}),
		svg('circle', {cx: last[0], cy: last[1], r: 2}),
	);
};

/** @param {string} text @param {string} [kind] */
const cell = (text, kind) => html('td', {class: kind}, text);

/** @param {Identity} identity */
const createRow = ({id, texts, last_text: lastText, held, validated, alarm, p, tail_p: tailP, named, top_source: top, readings, is_current: isCurrent}) => {
	const marks = [named && 'named', alarm && 'alarm'].filter(mark => mark !== false);
	return html(
		'tr', {},
		html('th', {scope: 'row'}, html('a', {href: addressOf(`identities/${id}/inspector`)}, id)),
		html('td', {}, ...marks.map(mark => html('span', {'class': 'mark', 'data-mark': mark}, mark === 'named' ? phrase`named` : phrase`alarm`)), ...marks.length > 0 ? [] : [
			html('span', {class: 'quiet'}, isCurrent ? validated === null ? phrase`not validated` : p === null ? phrase`too few texts` : phrase`ordinary` : phrase`being read`),
		]),
		html('td', {}, drawReadings(readings, alarm)),
		cell(top === null ? '' : top.source + (top.share === null ? '' : ` (${formatShare(top.share)})`), 'name'),
		cell(p === null ? '–' : formatSmallP(tailP ?? p), 'number'),
		cell(formatInteger(texts), 'number more'),
		cell(lastText === null ? '–' : formatDate(lastText), 'more'),
		cell(held === 0 ? '' : String(held), 'number more'),
	);
};

/** @param {Identity[]} identities */
const showRows = identities => {
	const before = [...shown.keys()];
	shown = new Map(identities.map(identity => {
		const text = JSON.stringify(identity);
		const known = shown.get(identity.id);
		if (known && known.text !== text) {
			const row = createRow(identity);
			const isFocused = known.row.contains(document.activeElement);
			known.row.replaceWith(row);
			if (isFocused) {
				row.querySelector('a')?.focus({preventScroll: true});
			}

			return [identity.id, {text, row}];
		}

		return [identity.id, known ?? {text, row: createRow(identity)}];
	}));
	if (before.join(' ') !== [...shown.keys()].join(' ')) {
		const focused = document.activeElement;
		rows.replaceChildren(...Array.from(shown.values(), ({row}) => row));
		if (focused instanceof HTMLElement && rows.contains(focused)) {
			focused.focus({preventScroll: true});
		}
	}
};

/** Lists the sources that move several identities. @param {Mover[]} sources */
const showSources = sources => {
	const named = sources.filter(source => source.named);
	movers.hidden = named.length === 0;
	movers.replaceChildren(...named.map(({source, identities, p}) =>
		html('li', {}, ...phraseParts`${html('strong', {}, source)} moves ${String(identities)} identities (p ${formatSmallP(p)})`)));
};

/** @param {Fleet} fleet */
const show = ({identities, sources, found, total, named, alarms, behind, next}) => {
	showRows(identities);
	showSources(sources);
	getById('summary', HTMLElement).textContent = total === 0 ? phrase`There is no identity yet.` : [
		total === 1 ? phrase`1 identity` : phrase`${formatInteger(total)} identities`,
		named === 0 ? phrase`none named` : phrase`${named} named`,
		formatCount(alarms, 'alarm'),
		...behind === 0 ? [] : [phrase`${behind} being read`],
	].join(' · ');
	getById('fleet-table', HTMLTableElement).hidden = identities.length === 0;
	note.hidden = identities.length > 0 && next === null;
	note.textContent = total === 0
		? phrase`PUT /identities/NAME creates one; the default one begins with its first request.`
		: identities.length === 0 ? phrase`No identity matches.` : phrase`The first ${identities.length} of ${formatInteger(found)}.`;
	more.hidden = next === null || limit >= maxRows;
};

/** @returns {Promise<boolean>} whether this was the newest request */
const refresh = async () => {
	const request = ++requests;
	try {
		const query = new URLSearchParams({name: name.value.trim().toLowerCase(), only: only.value, order: order.value, limit: String(limit)});
		const path = `fleet?${query}`;
		const {answer, tag} = await requestChange(path, answered.path === path ? answered.tag : '');
		if (request === requests) {
			if (answer !== null) {
				show(answer);
				answered = {path, tag};
			}

			notices.replaceChildren();
		}
	} catch (error) {
		notices.replaceChildren(html('p', {class: 'notice'}, `${describeError(error)} ${phrase`The page may be out of date.`}`));
	}

	return request === requests;
};

const refreshFirstPage = throttle(() => {
	limit = pageSize;
	void refresh();
}, 100);

for (const [field, event] of /** @type {const} */ ([[name, 'input'], [only, 'change'], [order, 'change']])) {
	field.addEventListener(event, refreshFirstPage);
}

// Enter opens the first identity.
getById('fleet-form', HTMLFormElement).addEventListener('submit', async event => {
	event.preventDefault();
	while (!await refresh());
	rows.querySelector('a')?.click();
});
more.addEventListener('click', () => {
	limit = Math.min(maxRows, limit + pageSize);
	void refresh();
});

const arrows = new Map([['ArrowDown', 1], ['ArrowUp', -1]]);
document.addEventListener('keydown', event => {
	const target = event.target instanceof HTMLElement ? event.target : null;
	const isWriting = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
	const step = arrows.get(event.key);
	if (event.key === '/' && !isWriting) {
		event.preventDefault();
		name.focus();
	} else if (step && (!isWriting || (target === name && step === 1))) {
		const links = [...rows.querySelectorAll('a')];
		const place = links.findIndex(link => link === document.activeElement);
		const next = links[place + step];
		if (next) {
			event.preventDefault();
			next.focus();
		}
	}
});

for (;;) {
	if (document.visibilityState === 'visible') {
		await refresh();
	}

	await new Promise(resolve => {
		setTimeout(resolve, refreshMs);
	});
}
