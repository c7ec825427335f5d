/**
 * Frames have the wire format of `@statelyai/inspect`: both converters inspect the same actor
 * system at once, and their frames are compared one by one.
 */
import {setTimeout} from 'node:timers/promises';
import test from 'ava';
import {createInspector} from '@statelyai/inspect';
import type {AnyActor, InspectionEvent} from 'xstate';
import {toFrame, collectFrames, type Frame} from '../../src/observe/frames.ts';
import {startIdentity} from '../actors/fixtures.ts';

type Theirs = Record<string, any>;

const options = {now: Date.UTC(2026, 0, 1), contents: false};

/** The frames of both converters, for a process from its first event to its stop. */
const compared = async () => {
	const ours: Array<Frame | null> = [];
	const theirs: Theirs[] = [];
	const inspector = createInspector({
		send(frame) {
			theirs.push(frame);
		},
	});
	const {identity, clock} = await startIdentity({
		inspect(event: InspectionEvent) {
			inspector.inspect.next!(event);
			ours.push(toFrame(event, options));
		},
	});
	await identity.cycle({content: 'The sea is quiet.', metadata: {place: 'harbour'}});
	identity.daemon.start();
	clock.increment(864_000);
	await identity.reset();
	identity.daemon.stop();
	await identity.dispose();
	// Their frames are made in timers of zero milliseconds, one for each event, in order.
	await setTimeout();
	return {ours: ours.filter(frame => frame !== null), theirs};
};

test('for every frame of the package there is exactly one of ours', async (t) => {
	const {ours, theirs} = await compared();
	t.true(theirs.length > 50);
	t.deepEqual(ours.map(({type, sessionId}) => [type, sessionId]), theirs.map(({type, sessionId}) => [type, sessionId]));
});

test('frames have the same fields with the same values, apart from the time and the summaries', async (t) => {
	const {ours, theirs} = await compared();
	const summarised = new Set(['createdAt', 'event', 'snapshot', 'definition']);
	for (const [place, frame] of ours.entries()) {
		const pick = (whole: object) =>
			Object.fromEntries(Object.entries(whole).filter(([key, value]) => value !== undefined && !summarised.has(key)));
		t.deepEqual(pick(frame), pick(theirs[place]!));
		t.deepEqual(Object.keys(frame).toSorted(), Object.keys(theirs[place]!).filter(key => theirs[place]![key] !== undefined).toSorted());
	}
});

test('events have the same type and the same keys', async (t) => {
	const {ours, theirs} = await compared();
	const toComparable = ({event}: Theirs) => event && [event.type, Object.keys(event).filter(key => event[key] !== undefined).toSorted()];
	t.deepEqual(ours.map(frame => toComparable(JSON.parse(JSON.stringify(frame)))), theirs.map(frame => toComparable(frame)));
});

test('snapshots have the same status, value, children and tags, and the same keys of context', async (t) => {
	const {ours, theirs} = await compared();
	const isSnapshot = ({type}: Theirs) => type === '@xstate.snapshot';
	const toComparable = ({snapshot: {status, value, children, historyValue, tags, context}}: Theirs) =>
		({status, value, children, historyValue, tags, context: context && Object.keys(context).toSorted()});
	t.deepEqual(
		ours.filter(isSnapshot).map(frame => toComparable(JSON.parse(JSON.stringify(frame)))),
		theirs.filter(isSnapshot).map(frame => toComparable(frame)),
	);
});

test('definitions are the same, and whole where the package cuts at ten levels', async (t) => {
	const {ours, theirs} = await compared();
	/** The package replaces values below the tenth level by “[Object]” or “[Array]”. */
	const withoutDepths = (value: any, depth = 0): unknown => {
		if (typeof value !== 'object' || value === null || depth >= 10) {
			return typeof value === 'object' || typeof value === 'string' && /^"?\[(?:Object|Array)\]"?$/.test(value) ? '…' : value;
		}

		return Array.isArray(value)
			? value.map(item => withoutDepths(item, depth + 1))
			: Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withoutDepths(inner, depth + 1)]));
	};

	const definitionsOf = (frames: Theirs[]) => frames
		.filter(({type}) => type === '@xstate.actor')
		.map(({name, definition}) => [name, JSON.parse(definition)] as const);
	t.deepEqual(
		definitionsOf(ours).map(([name, definition]) => [name, withoutDepths(definition)]),
		definitionsOf(theirs).map(([name, definition]) => [name, withoutDepths(definition)]),
	);
	const reopening = (definition: any) => definition.states.ready.states.halted.states.reopening.invoke.onDone.actions;
	const [, definition] = definitionsOf(ours).find(([name]) => name === 'process')!;
	t.is(reopening(definition)[1].type, 'restoreFromJournal');
});

test('no frame contains a text or a number of a tensor', async (t) => {
	const {ours} = await compared();
	const text = JSON.stringify(ours);
	t.false(text.includes('quiet'));
	t.false(text.includes('harbour'));
	t.true(text.includes('embedding of 1024 floats'));
	t.true(Math.max(...ours.map(frame => JSON.stringify(frame).length)) < 8192);
});

test('with contents, a cycle’s frames contain its text', async (t) => {
	const frames: Array<Frame | null> = [];
	const {identity} = await startIdentity({
		inspect(event: InspectionEvent) {
			frames.push(toFrame(event, {...options, contents: true}));
		},
	});
	await identity.cycle({content: 'The sea is quiet.', metadata: {place: 'harbour'}});
	const asked = frames.find(frame => frame?.type === '@xstate.event' && (frame['event'] as {type: string}).type === 'cycle')!;
	t.like(asked['event'], {content: 'The sea is quiet.', metadata: {place: 'harbour'}});
});

test('XState’s microsteps and actions have no frames', async (t) => {
	const withoutFrame = new Set<string>();
	await startIdentity({
		inspect(event: InspectionEvent) {
			if (toFrame(event, options) === null) {
				withoutFrame.add(event.type);
			}
		},
	});
	t.deepEqual([...withoutFrame].toSorted(), ['@xstate.action', '@xstate.microstep']);
});

test('the frames of present actors come parents first, each with its snapshot', async (t) => {
	const {identity, encoder} = await startIdentity();
	encoder.hold('Wait.');
	const failing = identity.cycle({content: 'Wait.'});
	const frames = collectFrames(identity.actor as AnyActor, options);
	t.deepEqual(frames.map(({name}) => name), ['process', 'resources', 'daemon', 'cycle-1', '0.cycle.embedding']);
	const [root, , daemon, cycle] = frames;
	t.is(daemon!['parentId'], root!.sessionId);
	t.like(daemon!['snapshot'], {status: 'active', value: {mode: 'conversation', loop: 'stopped'}});
	t.like(cycle!['snapshot'], {value: 'embedding', context: {order: {content: '…'}}});
	await identity.dispose();
	await t.throwsAsync(failing);
});
