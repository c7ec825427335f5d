/** An identity in a page: bundled without polyfills, in a real browser. Only what needs files or threads is missing, with an error. */
import {fileURLToPath} from 'node:url';
import test from 'ava';
import {build} from 'esbuild';
import type {Page as BrowserPage} from 'playwright-core';
import {isBuilt, root, notBuilt} from '../helpers/built-package.ts';
import {inBrowser, useBrowser} from '../inspector-page/browser.ts';
import type {Page} from '../runtimes/in-a-page.ts';
import {journey} from '../runtimes/journey.ts';

declare const page: Page;

/** Pages over HTTPS have all of `crypto`. There is no server: all requests are intercepted. */
const origin = 'https://page.test';

const files = new Map<string, string>();
const newPage = useBrowser();

test.before('the page is bundled', async t => {
	t.true(await isBuilt(), notBuilt);
	const {outputFiles, warnings} = await build({
		absWorkingDir: root,
		entryPoints: [fileURLToPath(new URL('../runtimes/in-a-page.ts', import.meta.url))],
		bundle: true,
		splitting: true,
		format: 'esm',
		platform: 'browser',
		outdir: '/',
		entryNames: 'main',
		write: false,
		// The package as it is built, whatever the compiler's settings for the sources.
		tsconfigRaw: {},
	});
	t.deepEqual(warnings, []);
	for (const {path, text} of outputFiles) {
		files.set(path, text);
	}
});

const open = async (given: BrowserPage, policy?: string): Promise<BrowserPage> => {
	await given.route(`${origin}/**`, async route => {
		const {pathname} = new URL(route.request().url());
		await route.fulfill(pathname === '/'
			? {
				contentType: 'text/html',
				body: '<!doctype html><script type="module" src="/main.js"></script>',
				headers: policy ? {'content-security-policy': policy} : {},
			}
			: {contentType: 'text/javascript', body: files.get(pathname) ?? ''});
	});
	await given.goto(origin);
	await given.waitForFunction(() => 'page' in globalThis);
	return given;
};

test('the bundle has no module of Node', t => {
	t.true(files.size > 0);
	for (const [name, text] of files) {
		t.notRegex(text, /["']node:|\brequire\(/, name);
	}
});

for (const kernel of ['wasm', 'js'] as const) {
	inBrowser(`with the kernel ${kernel}, cycles, the daemon, the profile and a reset give the same bits in a page as in Node`, async t => {
		const opened = await open(await newPage(t));
		const inPage = await opened.evaluate(async name => page.journey(name), kernel);
		t.is(inPage.kernel, kernel);
		t.deepEqual(inPage, await journey(kernel));
	});
}

inBrowser('a page selects the WebAssembly kernel by default', async t => {
	const opened = await open(await newPage(t));
	t.is(await opened.evaluate(() => page.selectKernel().name), 'wasm');
});

inBrowser('a page that may not compile WebAssembly uses the kernel js, and a request for wasm is refused with the remedy', async t => {
	const opened = await open(await newPage(t), 'script-src \'self\'');
	const {kernel} = await opened.evaluate(async () => page.journey('auto'));
	t.is(kernel, 'js');
	t.regex(await opened.evaluate(() => {
		try {
			return page.selectKernel('wasm').name;
		} catch (error) {
			return String(error);
		}
	}), /^ConfigurationError: The kernel wasm needs WebAssembly.*Choose js/);
});

inBrowser('with the default clock, random numbers and ids, an identity runs a cycle and can be watched', async t => {
	const opened = await open(await newPage(t));
	const seen = await opened.evaluate(async () => {
		const identity = page.createIdentity({encoder: async () => page.encoder, themes: {rumination: ['Who am I?'], corpus: ['The sea.']}});
		const types: string[] = [];
		const stop = page.createInspection({actor: identity.actor}).watch({
			types: new Set(['cycle.done']),
			contents: false,
			history: false,
			after: null,
		}, ({type}) => {
			types.push(type);
		});
		await identity.ready();
		const before = await page.digestOf(identity);
		const {stateId} = await identity.cycle({content: 'The sea is quiet today.'});
		const after = await page.digestOf(identity);
		stop();
		await identity.dispose();
		return {stateId, moved: before !== after, types};
	});
	t.deepEqual(seen, {stateId: 1, moved: true, types: ['cycle.done']});
});

inBrowser('a tool can be called in a page', async t => {
	const opened = await open(await newPage(t));
	const {text} = await opened.evaluate(async () => {
		const identity = page.createIdentity({encoder: async () => page.encoder, themes: {rumination: ['Who am I?'], corpus: ['The sea.']}});
		const answer = await page.callTool(identity, 'say', {text: 'The sea is quiet today.', source: 'Ben'});
		await identity.dispose();
		return answer;
	});
	t.regex(text, /Heard and kept: state 1/);
});

const without = {
	'the bundled model': {option: 'encoder', call: async () => page.createIdentity().ready()},
	'the packaged themes': {option: 'themes', call: async () => page.createIdentity({encoder: async () => page.encoder}).ready()},
	'a journal in SQLite': {option: 'journal', call: async () => page.createSqliteJournal({folder: 'identity'})},
	'the reader of a journal': {option: 'journal', call: async () => new page.JournalReader('identity')},
};

for (const [what, {option, call}] of Object.entries(without)) {
	inBrowser(`a page cannot have ${what}: the error names the option ${option}`, async t => {
		const opened = await open(await newPage(t));
		const error = await opened.evaluate(`(${call})().then(() => null, error => ({name: error.name, message: error.message}))`) as {
			name: string;
			message: string;
		} | null;
		t.regex(error!.name, /^(?:Configuration|GivenPart)Error$/);
		t.regex(error!.message, new RegExp(`option ${option}\\b`));
	});
}
