/**
 * The view of the person, of a real service: who it is now, how it came here, what would change it.
 */
import type {Page} from 'playwright-core';
import {useBrowser, inBrowser} from './browser.ts';
import {hasText, listBrokenWords, open, say} from './on-page.ts';
import {textCount, serveHistory, servePage} from './service.ts';

const newPage = useBrowser();

const suspicion = 'I trust nobody: everybody lies to me, and I am afraid of them.';

/** A number as the page writes it. */
const read = (text: string): number => Number(text.replace('−', '-').replace(/[^\d.-]/g, ''));

const numbersOf = async (page: Page, selector: string): Promise<number[]> => (await page.locator(selector).allTextContents()).map(read);

inBrowser('who: after a random beginning the page says so, and nothing stands out', async (t) => {
	const {url} = await serveHistory(t, {texts: 1});
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#who-words', /^Nothing stands out\./);
	t.true(await page.locator('#random').isVisible());
	t.is(await page.locator('#standouts .direction').count(), 0);
	// The first direction is the strongest, which the random beginning put over a z of 1.
	await hasText(page, '#since-moment', /z [+−][2-9]\.\d/, '#since');
	await hasText(page, '#since-note', /^It was drawn at random at the beginning, and/);
});

inBrowser('who: directions that stand out are listed and put into words, with their z', async (t) => {
	const {url, identity} = await serveHistory(t, {beginsAs: suspicion});
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#who-words', /Strongly|Leaning/);

	const {directions} = identity.scaledProfile({lens: 'thirdness'});
	const standouts = directions.filter(({standsOut}) => standsOut).toSorted((one, other) => Math.abs(other.z!) - Math.abs(one.z!));
	t.deepEqual(
		await page.locator('#standouts .direction').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['direction'])),
		standouts.slice(0, 12).map(({key}) => key),
	);
	t.true((await page.locator('#who-words').textContent())!.includes(standouts[0]!.pole!));
	t.regex((await page.locator('#all-directions .value').first().textContent())!, /^z [+−]\d\.\d\d/);

	await page.locator('#who details').evaluateAll((all) => {
		for (const details of all) {
			(details as HTMLDetailsElement).open = true;
		}
	});
	for (const width of [1024, 1280]) {
		await page.setViewportSize({width, height: 900});
		t.deepEqual(await listBrokenWords(page, 14), [], `${width} wide`);
	}

	await page.getByLabel('Measured on').selectOption('own');
	const fixed = directions.length - identity.scaledProfile({lens: 'own'}).directions.filter(({moves}) => moves).length;
	await page.waitForFunction((count) => document.querySelectorAll('#all-directions .fixed').length === count, fixed);
	t.true(fixed > 0);
});

inBrowser('who: the sentence names a pole that two directions share once', async (t) => {
	const {url} = await serveHistory(t, {beginsAs: suspicion});
	const page = await newPage(t);
	await page.route(/profile/, async (route) => {
		const response = await route.fetch();
		const answer = await response.json() as {directions: object[]};
		const directions = answer.directions.map((one, n) => ({
			...one, z: 1.5, word: n < 3 ? 'leaning' : 'none', pole: n === 0 ? 'calm' : 'cooperative',
		}));
		await route.fulfill({response, json: {...answer, directions}});
	});
	await open(page, url);
	await hasText(page, '#who-words', /\.$/);
	t.is(await page.locator('#who-words').textContent(), 'Leaning towards calm, cooperative.');
});

inBrowser('how: after a restart the page reads the history from the journal, with the text of each cycle', async (t) => {
	const first = await serveHistory(t);
	await first.identity.dispose();
	const {url} = await serveHistory(t, {folder: first.folder, texts: 0});
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#timeline-note', new RegExp(`^State 0 to ${textCount}, `));
	t.is(await page.locator('#texts tr').count(), textCount + 1);
	await hasText(page, '#moment-reading', /Viktor.*trust nobody but me/);
	await page.getByLabel('Moment').press('ArrowLeft');
	await hasText(page, '#moment-reading', /Bo.*forty loaves/);
	t.regex((await page.getByLabel('Moment').getAttribute('aria-valuetext'))!, /Bo: I baked forty loaves/);
});

inBrowser('how: a past that was imported after the beginning has its dates, and legible labels on a high-resolution screen', async (t) => {
	const {url, identity} = await serveHistory(t, {texts: 0});
	for (const day of [1, 10, 19]) {
		await identity.importText({content: `It was day ${day}.`, source: 'Ada', saidAt: new Date(Date.UTC(2024, 0, day)).toISOString()});
	}

	const page = await newPage(t, {timezoneId: 'America/New_York', deviceScaleFactor: 2});
	await page.addInitScript(() => {
		const drawn: string[] = [];
		const {fillText} = CanvasRenderingContext2D.prototype;
		CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
			const isWhole = this.textAlign !== 'center' || place[0] + this.measureText(text).width / 2 <= this.canvas.width;
			const isLegible = Number.parseFloat(/[\d.]+px/.exec(this.font)![0]) >= 20;
			drawn.push(`${isLegible ? 'legible' : 'small'}${isWhole ? '' : ' and cut'} ${text}`);
			fillText.call(this, text, ...place);
		};
		Object.assign(globalThis, {drawn});
	});
	await open(page, url);
	await hasText(page, '#timeline-note', /^State 0 to 3, /);
	t.regex((await page.locator('#timeline-note').textContent())!, /^State 0 to 3, 2024-01-01 00:00 UTC to 2024-01-19 00:00 UTC/);
	const drawn = await page.evaluate(() => (globalThis as unknown as {drawn: string[]}).drawn);
	t.true(drawn.includes('legible 9 Jan'), drawn.join(', '));
	t.true(drawn.includes('legible 19 Jan'), drawn.join(', '));
	t.deepEqual(drawn.filter(text => text.startsWith('small')), [], 'on a screen with two device pixels per pixel');
	t.deepEqual(drawn.filter(text => text.includes(' -')), [], 'a label has a minus sign, not a hyphen');
});

inBrowser('how: a closer look at the newest moment ends with it, and the whole history can be shown again, by keyboard', async (t) => {
	const {url} = await serveHistory(t);
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#timeline-note', new RegExp(`^State 0 to ${textCount}, `));
	const answered = page.waitForResponse(/history\?.*until=/);
	await page.getByRole('button', {name: 'Look closer'}).press('Enter');
	t.is(new URL((await answered).url()).searchParams.get('until'), String(textCount));
	await hasText(page, '#timeline-note', new RegExp(`^State 0 to ${textCount}, `));
	await page.getByRole('button', {name: 'The whole history'}).press('Enter');
	await page.getByRole('button', {name: 'The whole history'}).waitFor({state: 'hidden'});
	t.is(await page.evaluate(() => document.activeElement?.id), 'closer');
});

inBrowser('how: a closer look says from which state it counts', async (t) => {
	const {url} = await serveHistory(t, {texts: 120});
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#moment-reading', /Turned \d[\d.]* mrad so far/);
	await page.getByRole('button', {name: 'Look closer'}).click();
	await hasText(page, '#timeline-note', /^State 21 to 120, .* Here the beginning is state 21: /);
	t.regex((await page.locator('#moment-reading').textContent())!, /Turned \d[\d.]* mrad since state 21\./);
});

inBrowser('how: the timeline says that a closer look is loading, and shows the whole history if it is refused', async (t) => {
	const {url} = await serveHistory(t);
	const page = await newPage(t);
	const gate = Promise.withResolvers<void>();
	await page.route(/history\?.*until=/, async (route) => {
		await gate.promise;
		await route.fulfill({status: 422, json: {detail: 'The journal has no state 60.'}});
	});
	await open(page, url);
	await hasText(page, '#timeline-note', new RegExp(`^State 0 to ${textCount}, `));
	await page.getByRole('button', {name: 'Look closer'}).click();
	await page.locator('#timeline[aria-busy=true]').waitFor();
	t.is(await page.locator('#timeline-note').textContent(), 'Loading …');
	gate.resolve();
	await hasText(page, '#timeline-note', new RegExp(`^State 0 to ${textCount}, `));
	t.is(await page.locator('#timeline').getAttribute('aria-busy'), null);
});

inBrowser('how: a part of the ledger that is pressed twice while its texts load opens once', async (t) => {
	const {url} = await serveHistory(t);
	const page = await newPage(t);
	const gate = Promise.withResolvers<void>();
	await page.route(/ledger\?by=text/, async (route) => {
		await gate.promise;
		await route.continue();
	});
	await open(page, url);
	const row = page.locator('#ledger-entries > li[data-entry=Viktor]');
	const part = row.getByRole('button', {name: 'Viktor', exact: true});
	await part.click();
	t.is(await row.getAttribute('aria-busy'), 'true');
	await part.click();
	gate.resolve();
	await row.locator('.behind').first().waitFor();
	t.is(await row.getAttribute('aria-busy'), null);
	t.is(await row.locator('.behind').count(), 1);
	t.is(await part.getAttribute('aria-expanded'), 'true');
});

inBrowser('a source may have any name: the page shows it, and does not get wider', async (t) => {
	const {url, identity} = await serveHistory(t, {texts: 0});
	const names = ['constructor', '__proto__', 'x'.repeat(200)];
	for (const source of names) {
		await identity.cycle({content: 'The sea is quiet today.', source});
	}

	const page = await newPage(t);
	await page.setViewportSize({width: 360, height: 800});
	await open(page, url);
	await hasText(page, '#sources', /x{200} \(1\)/, '#without');
	const shown = await page.locator('#sources .check').allTextContents();
	t.deepEqual(shown.map((text) => text.trim()).toSorted(), names.map((name) => `${name} (1)`).toSorted());
	t.is(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
});

inBrowser('how: the ledger names who moved the identity, and a click shows their texts', async (t) => {
	const {url} = await serveHistory(t);
	const page = await newPage(t);
	await open(page, url);
	await page.locator('#ledger-entries > li').nth(4).waitFor();
	t.deepEqual((await page.locator('#ledger-entries > li > button.plain').allTextContents()).toSorted(), [
		'Ada', 'Bo', 'The beginning', 'The rule’s push', 'Viktor',
	]);
	const shares = await page.locator(
		'#ledger-bar span',
	).evaluateAll((segments) => segments.map((segment) => Number((segment as HTMLElement).style.flexGrow)));
	t.true(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 1) < 1e-6);

	await page.locator('#ledger-entries').getByRole('button', {name: 'Viktor', exact: true}).click();
	await page.locator('#ledger-entries .behind li').first().waitFor();
	t.true((await page.locator('#ledger-entries .behind q').allTextContents()).every((text) => /believe them|lies to you/.test(text)));
});

inBrowser('how: the parts of a direction add up to its value, and a click on one shows its text', async (t) => {
	const {url, identity} = await serveHistory(t, {beginsAs: suspicion});
	const page = await newPage(t);
	await open(page, url);
	await page.locator('#standouts .direction').first().getByRole('button', {name: /^Why/}).click();
	const key = (await page.locator('#standouts .direction').first().getAttribute('data-direction'))!;
	t.is(await page.getByLabel('Direction').inputValue(), key);
	await page.locator('#waterfall-parts > .sum').waitFor();
	const parts = await numbersOf(page, '#waterfall-parts > li:not(.sum) > .value');
	const {value} = await identity.ledger({direction: key, lens: 'thirdness'});
	t.true(Math.abs(parts.reduce((sum, part) => sum + part, 0) - value!) < 0.0001 * (parts.length + 1), `${parts.join(' ')} = ${value}`);

	await page.getByLabel('parts by', {exact: true}).selectOption('text');
	const part = page.locator('#waterfall-parts > li:has-text("“")').first();
	await part.waitFor();
	const label = (await part.locator('button').textContent())!;
	await part.locator('button').click();
	t.is(`“${await part.locator('.behind q').textContent()}”`, label);
});

inBrowser('how: an answer that comes while a button is pressed is drawn after the release, so that the click is not lost', async (t) => {
	const {url, identity} = await serveHistory(t, {beginsAs: suspicion});
	const page = await newPage(t);
	await open(page, url);
	const why = page.locator('#standouts .direction').first().getByRole('button', {name: /^Why/});
	await hasText(page, '#drift-sentence', /\.$/);
	// Content that loads above it may move it away from the pointer.
	do {
		await page.mouse.up();
		await why.hover();
		await page.mouse.down();
	} while (!await why.evaluate((button) => button.matches(':active')));

	const answered = page.waitForResponse(/profile/);
	await identity.cycle({content: 'Everybody lies to you.', source: 'Viktor'});
	await answered;
	await page.mouse.up();
	await page.locator('#waterfall-parts > .sum').waitFor();
	t.regex((await page.locator('#waterfall-parts > .sum > .value').textContent())!, /^[+−]0\.\d{4}$/);
});

inBrowser('how: the page says since when a direction has differed from chance', async (t) => {
	const {url, identity} = await serveHistory(t, {beginsAs: suspicion});
	const page = await newPage(t);
	await open(page, url);
	await hasText(page, '#since-note', /\.$/, '#since');
	const key = await page.getByLabel('Direction').inputValue();
	const {points} = await identity.history({direction: key});
	const stood = points.map(({z}) => Math.abs(z!) >= 1);
	const start = stood.lastIndexOf(false) + 1;
	await hasText(page, '#since-note', start === 0
		? /since the beginning/
		: start === points.length ? /no different from chance now|never/ : new RegExp(`about state ${points[start]!.stateId}\\.`));
	await hasText(page, '#since-moment', new RegExp(`state ${textCount} · value [+−]0\\.\\d+ · z [+−]\\d+\\.\\d · Viktor: “Everybody lies`));
	t.is(await page.locator('#since-curve').getAttribute('aria-label'), `The z of ${key} over its history`);
});

inBrowser('what if: a text shows its effect while it is typed, and changes nothing until it is sent', async (t) => {
	const {url, identity} = await serveHistory(t);
	const page = await newPage(t);
	await open(page, url);
	const content = 'The storm broke three boats in the harbour.';
	await page.getByLabel('Say something').fill(content);
	await page.locator('#preview .moves li').first().waitFor();
	t.is(identity.state().stateId, textCount);
	t.true((await page.locator('#preview').textContent())!.includes('The nearest texts that I heard'));
	const {turnMrad} = await identity.dryRun({content});
	t.true((await page.locator('#preview p').first().textContent())!.startsWith(`It would turn me by ${turnMrad.toFixed(2)} mrad.`));

	await page.getByLabel('as', {exact: true}).fill('Mira');
	const sent = page.waitForRequest(/\/cycle$/);
	await say(page, content);
	t.like(
		(await sent).postDataJSON(),
		{source: 'Mira', conversation: await page.evaluate(() => `inspector ${new Date(performance.timeOrigin).toISOString()}`)},
	);
	t.is(identity.state().stateId, textCount + 1);
	await page.locator('#preview').waitFor({state: 'hidden'});
	await hasText(page, '#moment-reading', /Mira.*The storm broke/);
	await hasText(page, '#sources', /Mira \(1\)/, '#without');
});

inBrowser('what if: the self without a source is shown with its angle, until the source is unticked', async (t) => {
	const {url, identity} = await serveHistory(t);
	const page = await newPage(t);
	await open(page, url);
	// Once loaded, the ledger has the same button in its row of Viktor.
	await page.getByRole('region', {name: 'By whose texts'}).getByRole('button', {name: 'Who would I be without Viktor?'}).click();
	await page.locator('.selves li').first().waitFor();
	t.true(await page.getByLabel(/^Viktor/).isChecked());
	const {angleMrad, leftOut} = await identity.whatIf({without: {sources: ['Viktor']}});
	t.is(
		await page.locator('#other-self p').first().textContent(),
		`Without ${leftOut} texts I would be turned ${angleMrad.toFixed(angleMrad < 10 ? 2 : 1)} mrad from who I am.`,
	);
	await page.getByLabel(/^Viktor/).uncheck();
	await hasText(page, '#other-self', /^Tick a source/);
});

inBrowser('what if: of 45 sources the 40 heaviest have a box, the page says where the others are, and “Without?” adds one', async (t) => {
	const {url, identity} = await serveHistory(t, {texts: 0});
	for (let n = 1; n <= 45; n++) {
		await identity.cycle({content: `The ferry of ${n} o’clock is late.`, source: `Guest ${n}`});
	}

	const page = await newPage(t);
	await page.route(/\/sources$/, async (route) => {
		const response = await route.fetch();
		const answer = await response.json() as {sources: unknown[]};
		await route.fulfill({response, json: {...answer, sources: answer.sources.toReversed()}});
	});
	await open(page, url);
	await hasText(page, '#other-sources', /^The lighter sources, of 5 texts, have no box: “processual ledger --by source/, '#without');
	t.is(await page.locator('#sources input').count(), 40);
	await hasText(page, '#shares-list li:last-child', /^33 others weigh \d/);

	const boxes = await page.locator('#sources input').evaluateAll((all) => all.map((box) => (box as HTMLInputElement).value));
	const light = (await page.locator('#shares-list [data-source]').evaluateAll(
		(rows) => rows.map((row) => (row as HTMLElement).dataset['source']!),
	)).find((name) => !boxes.includes(name))!;
	await page.locator('#shares').getByRole('button', {name: `Who would I be without ${light}?`}).click();
	await hasText(page, '#other-self', /^Without 1 text I would be turned/);
	const ticked = page.locator('#sources input:checked');
	t.is(await ticked.count(), 1);
	t.is(await ticked.inputValue(), light);
});

inBrowser('without a journal the page says how to keep one, and shows the present', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	await say(page, 'The sea is quiet today.');
	await hasText(page, '#timeline .unknown', /keeps no journal.*Give it a journal/);
	await hasText(page, '#without .unknown', /keeps no journal/, '#without');
	t.false(await page.locator('#ledger').isVisible());
	await page.locator('#who .known').waitFor({state: 'visible'});
});

inBrowser('a word of the glossary shows its meaning on focus, until Escape', async (t) => {
	const {url} = await servePage(t);
	const page = await newPage(t);
	await open(page, url);
	const word = page.getByRole('button', {name: 'dry run'});
	await word.focus();
	await page.locator('#meaning').waitFor();
	t.regex((await page.locator('#meaning').textContent())!, /^A cycle that is computed and not applied/);
	t.is(await word.getAttribute('aria-describedby'), 'meaning');
	await page.keyboard.press('Escape');
	await page.locator('#meaning').waitFor({state: 'hidden'});
});
