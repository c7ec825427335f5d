/** What a caller may ask of a cycle, and what an encoder may answer. */
import test from 'ava';
import {EmbeddingError, InputError, ModelLoadError} from '../../src/errors.ts';
import {selectKernel} from '../../src/kernel/select.ts';
import type {CycleRequest} from '../../src/actors/views.ts';
import {FakeJournal} from './fake-journal.ts';
import {FakeEncoder, settle, startProcess, vectorOf} from './fixtures.ts';

const circle: Record<string, unknown> = {};
circle['itself'] = circle;

const unusable: Record<string, {request: CycleRequest; message: RegExp}> = {
	'a blank content': {request: {content: ' \n'}, message: /content .* not blank/},
	'a content that is no text': {request: {content: 7 as unknown as string}, message: /content .* text/},
	'a trigger that is no string': {request: {content: 'x', trigger: 7 as unknown as string}, message: /trigger .* string/},
	'metadata with a number that JSON does not know': {request: {content: 'x', metadata: {at: 1n}}, message: /metadata .* JSON can hold: .*BigInt/},
	'metadata that contain themselves': {request: {content: 'x', metadata: circle}, message: /metadata .* JSON can hold/},
	'metadata that are a list': {request: {content: 'x', metadata: [] as unknown as Record<string, unknown>}, message: /metadata .* object/},
};

for (const [what, {request, message}] of Object.entries(unusable)) {
	test(`${what} is refused, has not counted, and disturbs nobody`, async t => {
		const {process} = await startProcess({journal: new FakeJournal()});
		const other = process.cycle({content: 'other'});
		await t.throwsAsync(process.cycle(request), {instanceOf: InputError, code: 'input', message});
		t.is((await other).stateId, 1);
		t.is((await process.cycle({content: 'next'})).stateId, 2);
		t.is(process.daemon.status().cyclesBreakdown.user, 2);
	});
}

test('what a caller does with its metadata after the call changes nothing', async t => {
	const journal = new FakeJournal();
	const {process, encoder} = await startProcess({journal});
	const held = encoder.hold('slow');
	const metadata = {step: 1};
	const cycle = process.cycle({content: 'slow', metadata});
	metadata.step = 2;
	held.resolve();
	await cycle;
	t.like(journal.records[0], {metadata: {step: 1}});
});

for (const name of ['wasm', 'js'] as const) {
	test(`${name}: an encoder may write every vector into the same memory`, async t => {
		const memory = new Float32Array(1024);
		const reusing = Object.assign(new FakeEncoder(), {
			async embed(text: string) {
				memory.set(vectorOf(text));
				return memory;
			},
		});
		const kernel = selectKernel(name);
		const {process} = await startProcess({kernel});
		const {process: same} = await startProcess({kernel: selectKernel(name), loadEncoder: async () => reusing});
		for (const content of ['first', 'second']) {
			t.is((await same.cycle({content})).dissonanceTotal, (await process.cycle({content})).dissonanceTotal);
		}
	});

	test(`${name}: a vector of another length is brought to 1`, async t => {
		const long = Object.assign(new FakeEncoder(), {
			embed: async (text: string) => vectorOf(text).map(value => value * 1e19),
		});
		const {process} = await startProcess({kernel: selectKernel(name)});
		const {process: other} = await startProcess({kernel: selectKernel(name), loadEncoder: async () => long});
		const [expected, actual] = [await process.cycle({content: 'hello'}), await other.cycle({content: 'hello'})];
		t.true(Math.abs(actual.dissonanceTotal - expected.dissonanceTotal) < 2e-6);
		t.true(Math.abs(actual.deltaMagnitude - expected.deltaMagnitude) < 1e-8);
	});
}

test('a vector without a direction is no vector', async t => {
	const {process} = await startProcess({loadEncoder: async () => Object.assign(new FakeEncoder(), {embed: async () => new Float32Array(1024)})});
	await t.throwsAsync(process.cycle({content: 'hello'}), {instanceOf: EmbeddingError, message: /zero vector/});
});

test('what is loaded instead of an encoder ends the boot', async t => {
	await t.throwsAsync(startProcess({loadEncoder: async () => ({}) as FakeEncoder}), {instanceOf: ModelLoadError, message: /passport, embed and dispose/});
});

test('health names the model that was loaded', async t => {
	const {process} = await startProcess({embeddingModel: undefined as unknown as string});
	await settle();
	t.is(process.health().embeddingModel, 'fake');
});
