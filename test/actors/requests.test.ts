/** Which requests a cycle accepts, which answers of an encoder, and how many translations run at once. */
import test from 'ava';
import {BusyError, EmbeddingError, InputError, ModelLoadError} from '../../src/platform/errors.ts';
import type {Encoder} from '../../src/embedding/encoder.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import type {CycleRequest} from '../../src/identity/views.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startIdentity, vectorOf} from './fixtures.ts';

const circle: Record<string, unknown> = {};
circle['itself'] = circle;

const unusable: Record<string, {request: CycleRequest; message: RegExp}> = {
	'blank content': {request: {content: ' \n'}, message: /content .* not blank/},
	'content that is not a text': {request: {content: 7 as unknown as string}, message: /content .* text/},
	'a trigger that is not a string': {request: {content: 'x', trigger: 7 as unknown as string}, message: /trigger .* string/},
	'metadata with a bigint': {
		request: {content: 'x', metadata: {at: 1n}},
		message: /metadata .* JSON can hold: .*BigInt/,
	},
	'metadata that contains itself': {request: {content: 'x', metadata: circle}, message: /metadata .* JSON can hold/},
	'metadata that is a list': {request: {content: 'x', metadata: [] as unknown as Record<string, unknown>}, message: /metadata .* object/},
};

for (const [what, {request, message}] of Object.entries(unusable)) {
	test(`${what} is refused and not counted, and affects no other request`, async t => {
		const {identity} = await startIdentity({journal: new FakeJournal()});
		const other = identity.cycle({content: 'other'});
		await t.throwsAsync(identity.cycle(request), {instanceOf: InputError, code: 'input', message});
		t.is((await other).stateId, 1);
		t.is((await identity.cycle({content: 'next'})).stateId, 2);
		t.is(identity.daemon.status().cyclesBreakdown.user, 2);
	});
}

test('changing the metadata after the call has no effect', async t => {
	const journal = new FakeJournal();
	const {identity, encoder} = await startIdentity({journal});
	const held = encoder.hold('slow');
	const metadata = {step: 1};
	const cycle = identity.cycle({content: 'slow', metadata});
	metadata.step = 2;
	held.resolve();
	await cycle;
	t.like(journal.records[0], {metadata: {step: 1}});
});

for (const name of ['wasm', 'js'] as const) {
	test(`${name}: an encoder may reuse the memory of its vectors`, async t => {
		const memory = new Float32Array(1024);
		const reusing = Object.assign(new FakeEncoder(), {
			async embed(text: string) {
				memory.set(vectorOf(text));
				return memory;
			},
		});
		const kernel = selectKernel(name);
		const {identity} = await startIdentity({kernel});
		const {identity: same} = await startIdentity({kernel: selectKernel(name), encoder: async () => reusing});
		for (const content of ['first', 'second']) {
			t.is((await same.cycle({content})).dissonanceTotal, (await identity.cycle({content})).dissonanceTotal);
		}
	});

	test(`${name}: a vector is normalised to length 1`, async t => {
		const long = Object.assign(new FakeEncoder(), {
			embed: async (text: string) => vectorOf(text).map(value => value * 1e19),
		});
		const {identity} = await startIdentity({kernel: selectKernel(name)});
		const {identity: other} = await startIdentity({kernel: selectKernel(name), encoder: async () => long});
		const [expected, actual] = [await identity.cycle({content: 'hello'}), await other.cycle({content: 'hello'})];
		t.true(Math.abs(actual.dissonanceTotal - expected.dissonanceTotal) < 2e-6);
		t.true(Math.abs(actual.deltaMagnitude - expected.deltaMagnitude) < 1e-8);
	});
}

test('the encoder’s report of a text is in the event and in the record, without invalid values', async t => {
	const report = {tokens: 128, isTruncated: true, unknownShare: 0.25};
	const silent = new FakeEncoder();
	const reporting = Object.assign(new FakeEncoder(), {embedWithReport: async (text: string) => ({vector: vectorOf(text), report})});
	const strange = Object.assign(new FakeEncoder(), {
		embedWithReport: async (text: string) => ({
			vector: vectorOf(text),
			report: {tokens: Number.NaN, unknownShare: 1n, isTruncated: true, more: 1},
		}),
	});
	for (const [encoder, expected] of [[silent, {}], [reporting, report], [strange, {isTruncated: true}]] as const) {
		const journal = new FakeJournal();
		const {identity} = await startIdentity({encoder: async () => encoder as Encoder, journal});
		const reports: unknown[] = [];
		identity.actor.on('cycle.done', ({tokenReport}) => reports.push(tokenReport));
		t.deepEqual(Object.keys(await identity.cycle({content: 'hello'})), [
			'id', 'stateId', 'deltaMagnitude', 'dissonanceTotal', 'isChoc', 'dimensionsAffected', 'processingTimeMs',
		]);
		t.deepEqual(reports, [expected]);
		t.like(journal.records[0], {tokenReport: expected});
	}
});

test('a zero vector is refused', async t => {
	const {identity} = await startIdentity({
		encoder: async () => Object.assign(new FakeEncoder(), {embed: async () => new Float32Array(1024)}),
	});
	await t.throwsAsync(identity.cycle({content: 'hello'}), {instanceOf: EmbeddingError, message: /zero vector/});
});

test('a function that gives no encoder fails the boot', async t => {
	await t.throwsAsync(startIdentity({encoder: async () => ({}) as FakeEncoder}), {
		instanceOf: ModelLoadError,
		message: /option encoder gave no encoder: it needs a passport with a model, and embed/,
	});
});

test('health names the model that was loaded', async t => {
	const {identity} = await startIdentity();
	await settle();
	t.is(identity.health().embeddingModel, 'fake');
});

/** A translator that answers on demand, and its pending translations. */
const heldTranslator = () => {
	const asked: Array<PromiseWithResolvers<void>> = [];
	const translator = {
		async translate(_: unknown, signal: AbortSignal) {
			const held = Promise.withResolvers<void>();
			asked.push(held);
			signal.addEventListener('abort', () => held.reject(signal.reason));
			await held.promise;
			return {text: 'I am calm.', reasoningDetected: false};
		},
	};
	return {asked, translator: async () => translator};
};

test('by default four translations run at once, and one more is refused until one ends', async t => {
	const {asked, translator} = heldTranslator();
	const {identity} = await startIdentity({translator});
	const running = Array.from({length: 4}, async () => identity.translate({context: null}));
	const error = await t.throwsAsync(identity.translate({context: null}), {
		instanceOf: BusyError,
		message: /^4 translations are already under way/,
	});
	t.is(error.retryAfter, 5);
	await settle();
	t.is(asked.length, 4);

	asked[0]!.resolve();
	await running[0];
	const next = identity.translate({context: null});
	await settle();
	for (const held of asked) {
		held.resolve();
	}

	await Promise.all([...running, next]);
	t.is(asked.length, 5);
});

test('an aborted or failed translation makes room for another', async t => {
	const {asked, translator} = heldTranslator();
	const {identity} = await startIdentity({translator, maxPendingTranslations: 1});
	const caller = new AbortController();
	const left = identity.translate({}, {signal: caller.signal});
	caller.abort(new Error('left'));
	await t.throwsAsync(left, {message: 'left'});

	const failing = identity.translate({context: null});
	await settle();
	asked.at(-1)!.reject(new Error('the model broke'));
	await t.throwsAsync(failing, {code: 'language', message: 'The translator failed: the model broke'});

	const last = identity.translate({context: null});
	await settle();
	asked.at(-1)!.resolve();
	t.is((await last).text, 'I am calm.');
});
