/** TLS to a real PostgreSQL, with authorities that are made here: what is trusted, and what is refused. */
import {execFileSync, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import test from 'ava';
import {JournalError} from '../../src/platform/errors.ts';
import {startPostgres} from '../helpers/postgres.ts';
import {openPatiently} from '../journal/postgres/places.ts';

const withOpenssl = spawnSync('openssl', ['version']).status === 0 ? test : test.skip;

const folder = mkdtempSync(path.join(tmpdir(), 'tls-'));
test.after.always(() => {
	rmSync(folder, {recursive: true});
});

const openssl = (...arguments_: string[]): void => {
	execFileSync('openssl', arguments_, {cwd: folder, stdio: 'pipe'});
};

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Makes an authority. @returns the file of its certificate */
const makeAuthority = (name: string): string => {
	openssl('req', '-x509', ...newKey, '-days', '2', '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.crt`);
	return path.join(folder, `${name}.crt`);
};

/** Makes a certificate for a host, which the authority signs; with days below 0 it has expired. */
const certify = (authority: string, host: string, days: number): {certificate: string; key: string} => {
	openssl(
		'req', ...newKey, '-subj', '/CN=database', '-addext', `subjectAltName=DNS:${host}`, '-keyout', 'server.key', '-out',
		'server.csr',
	);
	openssl(
		'x509',
		'-req',
		'-in',
		'server.csr',
		'-copy_extensions',
		'copy',
		'-CA',
		`${authority}.crt`,
		'-CAkey',
		`${authority}.key`,
		'-days',
		String(days),
		'-out',
		'server.crt',
	);
	return {certificate: readFileSync(path.join(folder, 'server.crt'), 'utf8'), key: readFileSync(path.join(folder, 'server.key'), 'utf8')};
};

/** The TLS version of a connection to a database, or why there is none. */
const tryTls = async (url: string): Promise<string> => {
	try {
		await using database = openPatiently(url);
		const session = await database.session();
		await session.close();
		const [row] = await database.query<{version: string | null}>('select version from pg_stat_ssl where pid = pg_backend_pid()');
		return row!.version ?? 'not encrypted';
	} catch (error) {
		if (error instanceof JournalError) {
			return error.message;
		}

		throw error;
	}
};

const untrusted = /^The certificate of the database is not trusted\. Give the file of its authority by sslrootcert/;

withOpenssl('sslmode=verify-full requires TLS and a certificate of the right authority and host that has not expired', async t => {
	const ours = makeAuthority('ours');
	const other = makeAuthority('other');
	await using server = await startPostgres({tls: certify('ours', 'localhost', 2)});
	await using expired = await startPostgres({tls: certify('ours', 'localhost', -1)});
	await using plain = await startPostgres();
	const address = (authority: string | null, {url} = server, host = 'localhost'): string =>
		`${url.replace('127.0.0.1', host)}?sslmode=verify-full${authority === null ? '' : `&sslrootcert=${authority}`}`;
	t.is(await tryTls(address(ours)), 'TLSv1.3');
	const refusals: Array<[string, RegExp]> = [
		[address(other), untrusted],
		[address(null), untrusted],
		[address(ours, server, '127.0.0.1'), /^The certificate of the database is for another host name\. Name the host in database\.url as/],
		[address(ours, expired), /^The certificate of the database has expired, .* Renew it, or set the clock/],
		[address(ours, plain), /^The database offers no TLS, which the sslmode of database\.url requires\. Configure it there/],
		[address(path.join(folder, 'nowhere.crt')), /^A file that database\.url names in sslrootcert, .* cannot be read\. Check its path/],
		[address(path.join(folder, 'ours.key')), untrusted],
		[address(other).replace('verify-full', 'verify-fully'), untrusted],
	];
	for (const [url, message] of refusals) {
		t.regex(await tryTls(url), message, url);
	}
});
