/**
 * A real browser: the Chromium of this machine. On Debian, root installs it if it is missing. The
 * headless build is preferred: the same engine, at half the processor time per page.
 */
import {execFile} from 'node:child_process';
import {accessSync, constants, existsSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {promisify} from 'node:util';
import {chromium, type Browser} from 'playwright-core';

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

const places = [
	...(process.env['PATH'] ?? '').split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name))),
	...names.map((name) => `/usr/bin/${name}`),
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

const isExecutable = (file: string): boolean => {
	try {
		accessSync(file, constants.X_OK);
		return true;
	} catch {
		return false;
	}
};

const findBrowser = (): string | undefined => process.env['CHROMIUM'] ?? places.find(isExecutable);

const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/etc/debian_version') && isExecutable('/usr/bin/apt-get');

const install = (name: string): string => `apt-get install -y --no-install-recommends ${name} fonts-liberation`;

/** Installs the browser if it is missing. Test files run in parallel: one of them installs, the others wait. */
const installBrowser = async (): Promise<void> => {
	const isThere = names.map((name) => `command -v ${name}`).join(' || ');
	await promisify(execFile)('flock', [
		path.join(tmpdir(), 'chromium.lock'),
		'sh',
		'-c',
		`${isThere} || { apt-get update && { ${install('chromium-headless-shell')} || ${install('chromium')}; }; }`,
	], {
		env: {...process.env, DEBIAN_FRONTEND: 'noninteractive'},
		maxBuffer: 2 ** 26,
	});
};

/** Whether a browser is installed or can be. */
export const canHaveBrowser = (): boolean => findBrowser() !== undefined || canInstall();

const flags = [
	'--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
	'--disable-component-update', '--disable-sync',
];

/** Starts the browser, after installing it if it is missing. `more` are additional flags. */
export const launch = async (more: readonly string[] = []): Promise<Browser> => {
	if (process.env['CHROMIUM'] === undefined && canInstall()) {
		await installBrowser();
	}

	return chromium.launch({executablePath: findBrowser()!, args: [...flags, ...more]});
};
