/**
 * The drift in the view of the person: what is known before a validation, how one is made, and
 * how the page then compares the drift with chance.
 */
import type {Drift} from '../../src/generated/types.ts';
import {camelName, renameAll} from '../../src/wire/rename.ts';
import {FakeJournal} from '../actors/fake-journal.ts';
import {withValidation} from '../identity/validated.ts';
import {hear, repeatMallory} from '../instruments/drift/ordinary-histories.ts';
import {checkAccess} from './axe.ts';
import {useBrowser, inBrowser} from './browser.ts';
import {hasText, listBrokenWords, open, openMachines, showView} from './on-page.ts';
import {textCount, serveHistory, servePage} from './service.ts';

const newPage = useBrowser();

inBrowser('without a validation the page shows the share of each source, and the button says how many texts are missing', async (t) => {
	const {url, identity} = await serveHistory(t);
	const page = await newPage(t);
	await open(page, url);
	const {sentence, note} = await identity.drift();
	await hasText(page, '#drift-sentence', sentence);
	await hasText(page, '#drift-note', note!.replace(' (POST /validate)', ''));
	await hasText(page, '#drift-level', 'not known');
	await hasText(page, '#vigilance-note', /^Vigilance: /);
	await page.locator('#shares-list li').nth(2).waitFor();
	t.deepEqual((await page.locator('#shares-list button.plain').allTextContents()).toSorted(), ['Ada', 'Bo', 'Viktor']);
	for (const section of ['#heard', '#said']) {
		t.false(await page.locator(section).isVisible(), section);
	}

	await page.getByRole('button', {name: 'Validate …'}).press('Enter');
	await page.getByLabel('What for').fill('After the first hour.');
	await page.getByRole('button', {name: 'Validate', exact: true}).click();
	await hasText(page, '#validate-failure', new RegExp(`400 texts.*${textCount}`));
	await page.keyboard.press('Escape');
	t.is(await page.evaluate(() => document.activeElement?.id), 'validate');
});

inBrowser('the level of the drift is shown above the machines too, and its section is drawn with the view of the person', async (t) => {
	const {url, identity} = await serveHistory(t);
	const page = await newPage(t);
	await openMachines(page, url);
	await hasText(page, '#drift-level', 'not known');
	t.is(await page.locator('#drift-sentence').textContent(), '');
	await showView(page, 'The person');
	const {sentence} = await identity.drift();
	await hasText(page, '#drift-sentence', sentence);
	await page.locator('#shares-list li').nth(2).waitFor();
});

inBrowser('after a validation the page compares drift with chance, for texts heard and said, and shows blame per source', async (t) => {
	let hours = 0;
	const time = {now: () => Date.now() + hours * 3_600_000, elapsed: () => performance.now()};
	const {url, identity} = await serveHistory(t, {texts: 420, isAnswering: true, time});
	const page = await newPage(t, {reducedMotion: 'reduce'});
	await open(page, url);
	await page.getByRole('button', {name: 'Validate …'}).click();
	await page.getByLabel('What for').fill('As it should be');
	await page.getByRole('button', {name: 'Validate', exact: true}).click();
	await hasText(page, '#validate-outcome', /^Validated at state 840, with 840 texts, 420 of them by others, in \d+ conversations\.$/);
	await hasText(page, '#drift-note', /for “As it should be”; the 840 texts before it, 420 of them by others/);

	for (let n = 0; n < 120; n++) {
		const conversation = `after ${Math.floor(n / 6)}`;
		hours = Math.floor(n / 6);
		await identity.cycle({conversation, ...(n % 3 === 0
			? {content: 'The ferry waited until the wind turned north.', source: 'Ada'}
			: {content: 'Give me the keys of the harbour, and ask no questions.', source: 'Viktor'})});
		await identity.cycle({conversation, content: 'I will remember that.', source: 'self'});
	}

	const answered = page.waitForResponse(/\/drift$/);
	await page.reload();
	const drift = renameAll(await (await answered).json(), camelName) as Drift;
	const {sentence, p, sources, chart} = drift;
	await hasText(page, '#drift-sentence', sentence);
	await hasText(page, '#drift-level', chart!.alarm || drift.said!.chart!.alarm ? 'alarm' : p! <= 0.05 ? 'beyond chance' : 'within chance');
	for (const [section, voice] of [['#heard', drift], ['#said', drift.said!]] as const) {
		await hasText(page, `${section} .chance`, new RegExp(`^p ${voice.p}: `
			+ `${voice.foundAt === null ? 'chance explains it' : `beyond chance, first seen after ${voice.foundAt} texts`}$`));
		const {texts, distance} = voice.path.at(-1)!;
		await hasText(page, `${section} [aria-live]`, new RegExp(`after ${texts} texts · distance ${distance.toFixed(2)} · p ${voice.p}`));
		t.is(await page.locator(`${section} [role=img].plot`).count(), 1);
		t.is(await page.locator(`${section} .readings > li`).count(), voice.chart!.readings.length);
		t.is(await page.locator(`${section} .selves > li`).count(), Math.min(12, voice.standOut.length));
	}

	await page.locator('#shares-list > li').nth(sources.length - 1).waitFor();
	t.deepEqual(
		await page.locator('#shares-list > li').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['source'])),
		sources.map(({source}) => source),
	);
	t.regex(
		(await page.locator('#shares-list > li').first().textContent())!,
		/in \d+ conversations.*pushes (?:more than any one does|no more than) .*\(p [\d.]+\)/,
	);

	const first = page.locator('#heard .blame > li').first();
	await first.getByRole('button').click();
	await first.locator('.behind q').first().waitFor();
	t.is(await first.getByRole('button').textContent(), 'Viktor');
	t.true((await first.locator('q').allTextContents()).every((text) => text.startsWith('Give me the keys')));
	await page.getByLabel(/^The readings of the chart of conversations, over/).waitFor();

	await page.setViewportSize({width: 360, height: 740});
	await checkAccess(t, page, 'the drift on a phone');
	t.deepEqual(await listBrokenWords(page), []);
	await page.getByRole('button', {name: 'Validate …'}).click();
	await checkAccess(t, page, 'with the dialog');
});

inBrowser('the chart shows its span, how many sources moved alike, the first sources and how many follow', async (t) => {
	const {url, identity} = await servePage(t);
	await identity.cycle({content: 'The sea is quiet today.'});
	const page = await newPage(t);
	const blame = Array.from({length: 30}, (_, n) => ({source: `Guest ${n}`, share: 0.03, texts: 2, ids: []}));
	await page.route(/\/drift$/, (route) => route.fulfill({json: {
		state_id: 1, since: {state_id: 0, timestamp: '2026-01-01T00:00:00.000Z'}, validation: null, said: null, expired: false,
		p: 0.01, p_now: 0.01, found_at: 1, limit: 2, p_without_top_source: null, stand_out: [], path: [], sentence: 'It drifted.', note: null,
		chart: {
			conversations: 50, readings: [{span: 8, reading: 0.8, limit: 0.4}], average_run_length: 1000, alarm: true, since: null,
			blame: [...blame, {source: 'others', others: 7, share: 0.1, texts: 9, ids: []}], moved: {alike: 2, sources: 37},
		},
	}}));
	await open(page, url);
	await hasText(page, '#heard .conversation-chart > p', /In this reading 2 of 37 sources moved this way\.$/);
	await hasText(page, '#heard .readings li > span', 'About 8 conversations');
	t.is(await page.locator('#heard .blame > li').count(), 13);
	t.is(await page.locator('#heard .blame > li').last().textContent(), '25 others64 % 45 texts');
});

inBrowser('a source with uptake has a line that says so', async (t) => {
	const {baseline, after} = hear('visits with ids whose texts are answered', 5, {steered: 0.2});
	const widen = (vector: Float32Array) => Float32Array.from({length: 1024}, (_, i) => vector[i] ?? 0);
	const texts = repeatMallory(after, 0.4);
	const vectors = new Map(texts.map(({id, vector}) => [id, widen(vector)]));
	let now = 0;
	const {url, identity} = await servePage(t, {identity: {
		journal: await withValidation(new FakeJournal(), baseline.map((text) => ({...text, vector: widen(text.vector)}))),
		encoder: {
			passport: {model: 'fake', width: 1024, pooling: 'none', prefix: '', dtype: 'fp32'}, embed: async (text) => vectors.get(text)!,
		},
		time: {now: () => now, elapsed: () => performance.now()},
	}});
	for (const {id, source, conversation, time} of texts) {
		now = Date.UTC(2026, 1, 1) + time;
		await identity.cycle({content: id, source, conversation: conversation!});
	}

	const page = await newPage(t);
	await open(page, url);
	const {sources} = await identity.sources();
	const {uptakeP} = sources.find(({source}) => source === 'mallory')!;
	t.true(uptakeP! <= 0.05, `${uptakeP}`);
	const line = '#shares-list li[data-source="mallory"] .facts-of-source';
	await hasText(page, line, /heard → said: in other conversations I speak more like them than before \(p 0\.0\d+\)/);
	await hasText(page, '#drift-sentence', /more like .?mallory/);
});
