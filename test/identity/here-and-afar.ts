/** An identity in this program, and the same behind a real server: each behaviour is declared for both. */
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
	/** What is tested. */
	identity: Identity;
	/** The identity itself, in this program. */
	local: LocalIdentity;
};

const here = async (t: ExecutionContext, options?: Options): Promise<Started> => {
	const started = await startIdentity(options);
	t.teardown(() => started.identity.dispose());
	return {...started, local: started.identity};
};

const afar = async (t: ExecutionContext, options?: Options): Promise<Started> => {
	const started = await startIdentity(options);
	const {url} = await serve(t, started.identity, {inspector: true, token: 'a-long-secret'});
	const identity = connectIdentity({baseUrl: url, token: 'a-long-secret'});
	t.teardown(async () => {
		await identity.dispose();
		await started.identity.dispose();
	});
	return {...started, identity, local: started.identity};
};

/** Declares a behaviour of both. */
export const both = (name: string, check: (t: ExecutionContext, start: (options?: Options) => Promise<Started>) => Promise<void>): void => {
	for (const [place, start] of Object.entries({here, afar})) {
		test(`${place}: ${name}`, async t => check(t, async options => start(t, options)));
	}
};

/** Without the stack, the cause and what a class inherits. */
export const kindOf = (error: Error) => {
	const {name, message, code, retryable, retryAfter} = error as Error & Partial<BusyError>;
	return {name, message, code, retryable, retryAfter};
};

/** Resolves once the identity has been told of it. */
export const until = async (identity: Identity, type: IdentityEvent['type']): Promise<IdentityEvent> => new Promise(resolve => {
	const off = identity.on(type, event => {
		off();
		resolve(event);
	});
});

/** Says texts one after another. */
export const sayAll = async (identity: Identity, texts: ReadonlyArray<Parameters<Identity['cycle']>[0]>): Promise<void> => {
	for (const text of texts) {
		await identity.cycle(text);
	}
};

/** An identity that heard texts, with its journal in a folder. */
export const startHaving = async (
	t: ExecutionContext, texts: Parameters<typeof sayAll>[1], options?: Omit<Parameters<typeof createSqliteJournal>[0], 'folder'>,
) => {
	const folder = await temporaryFolder(t);
	const {identity} = await startIdentity({journal: createSqliteJournal({folder, ...options})});
	t.teardown(async () => identity.dispose());
	await sayAll(identity, texts);
	return {identity, folder};
};

/** The rows of an identity that hears these texts alone. */
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
