/**
 * What an error of the database or of its client means, in our own words. A message has neither
 * the address nor the password nor a row's values: it may reach clients and logs.
 */
import {DatabaseError} from 'pg';
import {JournalError, reasonOf, withErrors} from '../errors.ts';
import {nameOf} from '../option-names.ts';

type Meaning = {message: string; retryable: boolean};

const passing = (message: string): Meaning => ({message: `${message} Nothing that was acknowledged is lost.`, retryable: true});
const lasting = (message: string): Meaning => ({message, retryable: false});

const unreachable = (): Meaning => passing('The database cannot be reached, or the connection broke. '
	+ `Check that it runs, the network, and the host and port of ${nameOf('database.url')}.`);

const refused = (): Meaning => lasting(`The database refuses this user or password. Check ${nameOf('database.url')}: in it, special `
	+ 'characters of a password are percent-encoded, as %25 for %.');

/**
 * By SQLSTATE, or its first characters.
 *
 * @param message The message of the database.
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const byState = (message: string): Record<string, Meaning> => ({
	'08': unreachable(),
	'22P05': lasting('The encoding of the database cannot hold a character of this text. Dump the database, and restore the dump into '
		+ 'one with the encoding UTF8.'),
	'23505': lasting('The database already has a cycle with this id, or an identity with this name.'),
	'25P03': passing('The database ended a transaction that was idle for too long. Check the load of this machine, '
		+ 'then try again.'),
	'25006': passing('The database is read-only, as a standby is, or with default_transaction_read_only = on. Connect to the primary, '
		+ 'for example through a load balancer that knows it; if this is the primary, turn that off.'),
	'28': refused(),
	'3D000': lasting(`The database that ${nameOf('database.url')} names does not exist. Create it.`),
	'3F000': lasting('The database has no tables for identities. Run “processual migrate”.'),
	'40': passing('The database cancelled the transaction because of another one. Try again.'),
	// Like a file that may not be written: once the right is granted, no restart is needed.
	'42501': {...lasting(`The database does not let this role do that: ${message}. Grant it what docs/operations.md lists, `
		+ 'or run “processual migrate” as the owner.'), retryable: true},
	'42P01': lasting('The database has no tables for identities. Run “processual migrate”.'),
	'53100': passing('The disk of the database is full. Free space on it, then try again.'),
	'53300': passing(`The database accepts no more connections. Lower ${nameOf('database.poolSize')}, or raise its max_connections, or `
		+ 'the connection limit of this role or database.'),
	'53': passing('The database is short of memory or another resource. Try again.'),
	'55P03': passing('Another session of the database holds a lock for too long. Try again.'),
	'57014': passing('The database did not answer in time. Check its load and its disk, then try again.'),
	'57P05': passing('The database ended a connection that was idle for too long. Check the load of this machine, and the '
		+ 'network.'),
	'57': passing('The database is stopping or starting. Try again.'),
	// A file that is missing, or a disk that fails; once it is mended, no restart is needed.
	'58': {...lasting('The database cannot read or write one of its files. Check its log and its disk.'), retryable: true},
	'XX': lasting('The database found that its files are damaged. Check its log, and restore a backup.'),
});

/** By the messages of the client's errors, which have no code. */
const byClientMessage = (): Array<[RegExp, Meaning]> => [
	[/^(?:ENOENT|EACCES|EISDIR|ENOTDIR) .*\b(?:open|read)\b/, lasting(`A file that ${nameOf('database.url')} names in sslrootcert, `
		+ 'sslcert or sslkey cannot be read. Check its path and its permissions.')],
	[/timeout|timed out/i, passing('The database did not answer in time. Check its load and its disk, then try again.')],
	[/does not support SSL/i, lasting(`The database offers no TLS, which the sslmode of ${nameOf('database.url')} requires. `
		+ 'Configure it there, or use sslmode=disable on a trusted network.')],
	[/altname/i, lasting('The certificate of the database is for another host name. '
		+ `Name the host in ${nameOf('database.url')} as its certificate does.`)],
	[/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, lasting('The certificate of the database has expired, or is not valid yet. '
		+ 'Renew it, or set the clock of this machine.')],
	[/certificate|self.signed|issuer/i, lasting('The certificate of the database is not trusted. '
		+ `Give the file of its authority by sslrootcert in ${nameOf('database.url')}.`)],
	[/password|SASL|SCRAM/i, refused()],
	[/terminated|ended|closed|not queryable|ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ENOENT|EHOSTUNREACH|ENETUNREACH/i, unreachable()],
];

export const fromDatabaseError = (error: unknown): JournalError => {
	if (error instanceof JournalError) {
		return error;
	}

	const {message, retryable} = meaningOf(error);
	// Not the error itself: its details have the values of rows.
	const cause = error instanceof DatabaseError ? `${error.code}: ${error.message}` : reasonOf(error);
	return new JournalError(message, {cause, retryable});
};

const meaningOf = (error: unknown): Meaning => {
	if (error instanceof DatabaseError) {
		const state = error.code ?? '';
		// Its message about rights names a table or schema, and no row's values.
		const states = byState(error.message);
		// Its state is that of a broken connection.
		if (/unsupported startup parameter/i.test(error.message)) {
			return lasting('A pooler in front of the database refuses the settings of a connection. '
				+ `Point ${nameOf('database.sessionUrl')} to the database itself; `
				+ 'the role then has the time limits: docs/operations.md lists them.');
		}

		return states[state] ?? states[state.slice(0, 2)] ?? lasting(`The database refused a statement (SQLSTATE ${state}). `
			+ 'This is a defect of this software; please report it.');
	}

	// If all of several addresses of a host fail, the error has no message.
	const text = `${(error as NodeJS.ErrnoException).code ?? ''} ${reasonOf(error)}`;
	return byClientMessage().find(([pattern]) => pattern.test(text))?.[1] ?? lasting('The database could not be queried: '
		+ `${(error as NodeJS.ErrnoException).code ?? 'an unknown error'}.`);
};

export const withDatabaseErrors = async <Result>(run: () => Promise<Result>): Promise<Result> => withErrors(run, fromDatabaseError);
