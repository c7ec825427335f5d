/** Which runtimes are refused because their Node is too old. */
import {readFile} from 'node:fs/promises';
import test from 'ava';
import {describeOldNode} from '../../src/platform/node-version.ts';

const onNode = (node: string, userAgent?: string) =>
	describeOldNode({process: {versions: {node}}, ...(userAgent !== undefined && {navigator: {userAgent}})});

test('the oldest accepted Node is the one in engines', async t => {
	const {engines} = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {engines: {node: string}};
	const oldest = engines.node.replace('>=', '');
	const [major, minor] = oldest.split('.').map(Number) as [number, number];
	t.is(onNode(`${oldest}.0`, `Node.js/${major}`), null);
	t.regex(
		onNode(`${major}.${minor - 1}.9`, `Node.js/${major}`)!,
		new RegExp(String.raw`needs Node ${oldest} or newer, and this is Node ${major}\.${minor - 1}\.9\.`),
	);
});

for (const version of ['20.20.2', '18.0.0']) {
	test(`Node ${version} is refused, and the error says where to get a newer one`, t => {
		t.regex(onNode(version)!, /^processual-state needs Node .* Install one from https:\/\/nodejs\.org/);
	});
}

test('newer versions of Node are accepted', t => {
	t.is(onNode('24.0.0', 'Node.js/24'), null);
	t.is(onNode('23.1.0', 'Node.js/23'), null);
});

test('browsers, and runtimes that only resemble Node, are never refused', t => {
	t.is(describeOldNode({}), null);
	t.is(describeOldNode({navigator: {userAgent: 'Mozilla/5.0'}}), null);
	t.is(describeOldNode({process: {}}), null);
	for (const agent of ['Bun/1.4.5', 'Deno/2.9.6', 'Cloudflare-Workers']) {
		t.is(onNode('20.0.0', agent), null);
	}
});
