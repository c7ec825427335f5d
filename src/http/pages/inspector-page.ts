/**
 * `GET /inspector`: a page that shows live who the identity is, how it came to be, what would change it, and its machines.
 * Also the page of the fleet.
 *
 * The sources are in the folder `inspector`, from which the build makes the files in `vendor`. The content policy allows
 * loading from this service only. The files are public and need no token; the page asks for one if the service needs it.
 */
import type {Middleware} from 'koa';
import {createBootMachine} from '../../actors/boot.ts';
import {cycleKind} from '../../actors/cycle.ts';
import {createDaemonMachine} from '../../actors/daemon.ts';
import type {MachineDeps} from '../../actors/deps.ts';
import {createProcessMachine} from '../../actors/process.ts';
import {createTurnMachine} from '../../actors/turn-machine.ts';
import {currentLanguage, translated} from '../../platform/phrase.ts';
import {pageAt, readPackageFile, serveFiles, type ServedFile} from './serve-files.ts';

export const inspector = pageAt(
	'/inspector', 'The identity as a page',
	'A page that shows who the identity is, how it came here, what would change it, and its machines, live. It loads nothing from elsewhere.',
);

/** Whether the service has many identities, and shows them as a fleet. */
type Shown = {isHost?: boolean; hasFleet?: boolean};

/** The file of a page in the current language; the build makes the translations. */
const pageFile = (name: string): string =>
	currentLanguage() === 'en' ? `inspector/${name}.html` : `vendor/${name}.${currentLanguage()}.html`;

/** Reads a page and inlines its icon, which saves a request. */
const readPage = async (name: string, {isHost = false, hasFleet = false}: Shown): Promise<Buffer> => {
	const [page, icon] = await Promise.all([pageFile(name), 'inspector/icon.svg'].map(readPackageFile));
	const link = `<link rel="icon" type="image/svg+xml" href="data:image/svg+xml;base64,${icon!.toString('base64')}">`;
	const marks = `${isHost ? ' data-host' : ''}${hasFleet ? ' data-fleet' : ''}`;
	return Buffer.from(page!.toString().replace('</head>', `${link}\n</head>`).replace('<html', `<html${marks}`));
};

const translateAll = (texts: Record<string, string>): Record<string, string> =>
	Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, translated(text)]));

const toJson = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const fromPackage = (path: string) => async (): Promise<Buffer> => readPackageFile(path);

const files = (shown: Shown) => new Map<string, ServedFile>([
	['/inspector', {type: 'text/html; charset=utf-8', read: async () => readPage('index', shown)}],
	['/inspector/words.json', {
		type: 'application/json; charset=utf-8',
		read: async () => toJson(translateAll(readGlossary((await readPackageFile('docs/words.md')).toString()))),
	}],
	['/inspector/machines.json', {type: 'application/json; charset=utf-8', read: async () => toJson(describeMachines())}],
	['/inspector/main.js', {type: 'text/javascript; charset=utf-8', read: fromPackage('vendor/inspector.js')}],
	['/inspector/main.css', {type: 'text/css; charset=utf-8', read: fromPackage('vendor/inspector.css')}],
	['/inspector/fleet.js', {type: 'text/javascript; charset=utf-8', read: fromPackage('vendor/fleet.js')}],
	['/inspector/layouts.json', {type: 'application/json; charset=utf-8', read: fromPackage('vendor/layouts.json')}],
]);

export const inspectorPaths = (): string[] => ['/inspector/', ...files({}).keys()];

export const serveInspector = (shown: Shown = {}): Middleware => {
	const serve = serveFiles(files(shown));
	return async (ctx, next) => {
		if (ctx.path === '/inspector/') {
			// The page's relative addresses are relative to the path without the slash.
			ctx.status = 302;
			ctx.set('Location', '../inspector');
			ctx.body = '';
		} else {
			await serve(ctx, next);
		}
	};
};

/** Serves the page of the fleet to browsers, at the same path as its data. Like the other files, it needs no token. */
export const serveFleetPage = (path: string): Middleware => {
	const serve = serveFiles(new Map([[path, {type: 'text/html; charset=utf-8', read: async () => readPage('fleet', {isHost: true})}]]));
	return async (ctx, next) => {
		if (ctx.path !== path || ctx.method !== 'GET') {
			await next();
			return;
		}

		ctx.vary('Accept');
		await (ctx.accepts('json', 'html') === 'html' ? serve(ctx, next) : next());
	};
};

const row = /^\| \*\*(?<word>[^*]+)\*\*[^|]* \| (?<meaning>.+) \|$/gm;

/** References to other documents at the end of a meaning. */
const references = / \((?:\[[^\]]*\]\([^)]*\)(?:, )?)+\)/g;

const toPlainText = (markdown: string): string =>
	markdown.replaceAll(references, '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '');

/** The words of `docs/words.md`, each with its meaning as plain text. */
export const readGlossary = (markdown: string): Record<string, string> =>
	Object.fromEntries([...markdown.matchAll(row)].map(({groups}) => [groups!['word'], toPlainText(groups!['meaning']!)]));

/** Only running actors use the parts. `isAsked` makes the optional state `guarding` part of the definition. */
const noDeps = {standings: {isAsked: true}} as MachineDeps;

const createCycleMachine = (deps: MachineDeps) => createTurnMachine(cycleKind(deps), deps);

/** Replaces a function, such as an action or a guard, by its name; by null if it has none. */
const nameFunctions = (_key: string, value: unknown): unknown => typeof value === 'function' ? value.name || null : value;

/** The definitions of process, boot, daemon and cycle, in this order, as JSON: so they can be drawn before an actor runs them. */
export const describeMachines = (): unknown[] =>
	[
		createProcessMachine, createBootMachine, createDaemonMachine, createCycleMachine,
	].map(create => JSON.parse(JSON.stringify(create(noDeps).config, nameFunctions)));
