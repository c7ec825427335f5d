/** Declares tests for an identity in this program and for one behind a real server. */
import test, {type ExecutionContext} from 'ava';
import {connectIdentity} from '../../src/client/index.ts';
import type {BusyError} from '../../src/platform/errors.ts';
import type {IdentityEvent} from '../../src/identity/events.ts';
import type {Identity, LocalIdentity} from '../../src/identity/identity.ts';
import type {TensorView} from '../../src/identity/views.ts';
import {startIdentity, vectorOf} from '../actors/fixtures.ts';
import {createSqliteJournal} from '../helpers/one-thread.ts';
import {serve} from '../http/service.ts';
import {temporaryFolder} from '../journal/records.ts';

type Options = Parameters<typeof startIdentity>[0];
type Started = Omit<Awaited<ReturnType<typeof startIdentity>>, 'identity'> & {
	/** The identity under test. */
	identity: Identity;
	/** The identity itself, in this program. */
	local: LocalIdentity;
};

const startLocal = async (t: ExecutionContext, options?: Options): Promise<Started> => {
	const started = await startIdentity(options);
	t.teardown(() => started.identity.dispose());
	return {...started, local: started.identity};
};

const startRemote = async (t: ExecutionContext, options?: Options): Promise<Started> => {
	const started = await startIdentity(options);
	const {url} = await serve(t, started.identity, {inspector: true, token: 'a-long-secret'});
	const identity = connectIdentity({baseUrl: url, token: 'a-long-secret'});
	t.teardown(async () => {
		await identity.dispose();
		await started.identity.dispose();
	});
	return {...started, identity, local: started.identity};
};

/** Declares a test of both. */
export const both = (name: string, check: (t: ExecutionContext, start: (options?: Options) => Promise<Started>) => Promise<void>): void => {
	for (const [place, start] of Object.entries({local: startLocal, remote: startRemote})) {
		test(`${place}: ${name}`, async t => check(t, async options => start(t, options)));
	}
};

/** An error without its stack and cause. */
export const kindOf = (error: Error) => {
	const {name, message, code, retryable, retryAfter} = error as Error & Partial<BusyError>;
	return {name, message, code, retryable, retryAfter};
};

/** Resolves with the next event of a type. */
export const until = async (identity: Identity, type: IdentityEvent['type']): Promise<IdentityEvent> => new Promise(resolve => {
	const off = identity.on(type, event => {
		off();
		resolve(event);
	});
});

/** Runs one cycle after another. */
export const sayAll = async (identity: Identity, texts: ReadonlyArray<Parameters<Identity['cycle']>[0]>): Promise<void> => {
	for (const text of texts) {
		await identity.cycle(text);
	}
};

/** Starts an identity with a journal in a folder, and runs cycles. */
export const startHaving = async (
	t: ExecutionContext, texts: Parameters<typeof sayAll>[1], options?: Omit<Parameters<typeof createSqliteJournal>[0], 'folder'>,
) => {
	const folder = await temporaryFolder(t);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, ...options})});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, texts);
	return {identity, folder};
};

/** The rows of an identity after these texts alone. */
export const rowsAfter = async (texts: Parameters<typeof sayAll>[1]): Promise<TensorView['dimensions']> => {
	const {identity} = await startIdentity();
	await sayAll(identity, texts);
	const {dimensions} = identity.tensor();
	await identity.dispose();
	return dimensions;
};

export const rowsOf = (identity: LocalIdentity): TensorView['dimensions'] => identity.tensor().dimensions;

/** A catalogue of one direction. */
export const calm = [{
	name: 'calm_agitated',
	category: 'affective',
	polePositive: 'calm',
	poleNegative: 'agitated',
	vector: vectorOf('calm'),
}];
