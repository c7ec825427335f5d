/** Serves an identity to the person at this machine, and opens its page if there is a desktop. */
import {phrase} from '../platform/phrase.ts';
import {spawn} from 'node:child_process';
import {createServer} from 'node:net';
import {once} from 'node:events';
import {createLogger} from './logging.ts';
import {serve} from './serve.ts';
import {findService} from './service-lock.ts';
import {Settings} from './settings.ts';

const defaultOf = (name: 'HOST' | 'PORT'): unknown => (Settings.properties[name] as {default?: unknown}).default;

/** Serves this machine only, and on a free port if the usual one is taken, unless the settings say otherwise. */
export const servePage = async (settings: Settings): Promise<void> => {
	const HOST = settings.HOST === defaultOf('HOST') ? '127.0.0.1' : settings.HOST;
	const PORT = settings.PORT === defaultOf('PORT') && await probePort(settings.PORT, HOST) ? 0 : settings.PORT;
	const isTerminal = process.stdout.isTTY;
	await serve({...settings, HOST, PORT}, createLogger(settings.LOG_LEVEL, isTerminal), isTerminal);
	const url = findService(settings);
	if (url !== null) {
		const page = `${url}/inspector`;
		const opens = openPage(page);
		process.stdout.write(`\n${opens
			? phrase`The page is ${page} and is opening now. Press Ctrl-C to stop.`
			: phrase`The page is ${page}. Press Ctrl-C to stop.`}\n`);
	}
};

/** Why a port cannot be listened on; null if it is free. */
export const probePort = async (port: number, host: string): Promise<NodeJS.ErrnoException | null> => {
	const server = createServer();
	const error = await once(server.listen(port, host), 'listening').then(() => null, (thrown: NodeJS.ErrnoException) => thrown);
	server.close();
	return error;
};

/** The command that opens an address, by platform. */
const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
	darwin: ['open'], win32: ['cmd', '/c', 'start', ''], linux: ['xdg-open'],
};

/** Opens an address in the user's browser. @returns false if there is no desktop; then nothing happens */
const openPage = (url: string): boolean => {
	const {platform, env: {DISPLAY, WAYLAND_DISPLAY, SSH_CONNECTION}} = process;
	const [command, ...words] = openers[platform] ?? [];
	if (command === undefined || !process.stdout.isTTY || SSH_CONNECTION || (platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY)) {
		return false;
	}

	spawn(command, [...words, url], {stdio: 'ignore', detached: true}).on('error', () => {
		// The terminal shows the address.
	}).unref();
	return true;
};
