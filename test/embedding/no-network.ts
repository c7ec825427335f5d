/** Preloaded into a process and its workers: any use of the network is reported and fails. */
import dns from 'node:dns';
import net from 'node:net';

const refuse = (what: string) => (): never => {
	process.stderr.write(`network touched by ${what}\n`);
	throw new Error(`no network here (${what})`);
};

globalThis.fetch = refuse('fetch');
net.Socket.prototype.connect = refuse('a socket');
dns.lookup = refuse('a lookup') as unknown as typeof dns.lookup;
