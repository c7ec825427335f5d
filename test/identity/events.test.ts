/** The stream of an identity's events: when it ends, and what it retains; and observers that throw. */
import {setFlagsFromString} from 'node:v8';
import {runInNewContext} from 'node:vm';
import test from 'ava';
import {IdentityEvents, type IdentityEvent} from '../../src/identity/events.ts';
import {settle, startIdentity} from '../actors/fixtures.ts';
import {collectWarnings} from '../helpers/collect-warnings.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const eventOf = (number: number): IdentityEvent => ({type: 'failed', error: number});

const start = () => {
	let ended = 0;
	const events = new IdentityEvents(() => {});
	const open = (signal?: AbortSignal) => events.stream(signal, () => {
		ended++;
	});
	return {events, open, ended: () => ended};
};

test('a stream yields events emitted between its opening and its first read', async t => {
	const {events, open} = start();
	const stream = open();
	events.emit({type: 'stopped'});
	t.like(await stream.next(), {value: {type: 'stopped'}});
	t.like(await stream.next(), {done: true});
});

test('a stream opened after the end is done at once', async t => {
	const {events, open, ended} = start();
	events.emit({type: 'stopped'});
	events.close();
	t.like(await open().next(), {done: true});
	t.is(ended(), 1);
	t.false(events.hasListeners);
});

test('a stream counts as a listener from its first read to its end', async t => {
	const {events, open, ended} = start();
	const stream = open();
	t.false(events.hasListeners);
	const next = stream.next();
	await settle();
	t.true(events.hasListeners);
	events.emit(eventOf(1));
	t.like(await next, {value: eventOf(1)});
	await stream.return();
	t.false(events.hasListeners);
	t.is(ended(), 1);
});

test('a stream that is returned or aborted before its first read ends', async t => {
	const {events, open, ended} = start();
	await open().return();
	t.is(ended(), 1);
	const leaving = new AbortController();
	const aborted = open(leaving.signal);
	leaving.abort(new Error('left'));
	t.is(ended(), 2);
	await t.throwsAsync(aborted.next(), {message: 'left'});
	await t.throwsAsync(open(leaving.signal).next(), {message: 'left'});
	t.is(ended(), 3);
	t.false(events.hasListeners);
});

test('a stream that was never read ends when it is unreachable, and retains no events', async t => {
	const {events, open, ended} = start();
	const abandon = (): void => {
		void open(new AbortController().signal);
	};

	abandon();
	const emitOne = (): WeakRef<IdentityEvent> => {
		const event = eventOf(1);
		events.emit(event);
		return new WeakRef(event);
	};

	const event = emitOne();
	for (let i = 0; i < 20 && event.deref() !== undefined; i++) {
		await settle();
		collectGarbage();
	}

	t.is(ended(), 1);
	t.is(event.deref(), undefined);
});

test('a listener that another one adds is called from the next event on, and a removed one no more', t => {
	const {events} = start();
	const calls: string[] = [];
	let removed = () => {};
	let again = events.on('failed', function listen() {
		calls.push('again');
		again();
		removed();
		again = calls.length > 9 ? again : events.on('failed', listen);
	});
	removed = events.on('failed', () => calls.push('removed'));
	events.emit(eventOf(1));
	t.deepEqual(calls, ['again']);
	events.emit(eventOf(2));
	t.deepEqual(calls, ['again', 'again']);
});

test('an observer of inspection that throws causes a warning, and does not stop the identity', async t => {
	for (const toInspect of [(next: () => never) => next, (next: () => never) => ({next})]) {
		const {warnings, warn} = collectWarnings();
		const {identity} = await startIdentity({warn, inspect: toInspect(() => {
			throw new Error('no room');
		})});
		t.like(await identity.cycle('one'), {stateId: 1});
		t.like(await identity.cycle('two'), {stateId: 2});
		await identity.dispose();
		t.deepEqual([...new Set(warnings)], ['The option inspect failed: no room']);
	}
});
