/** The Python client at a served command, which has paths for many identities; an identity mounted alone has none. */
import {execFile} from 'node:child_process';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import test from 'ava';
import {childEnvironment} from '../helpers/child-environment.ts';
import {temporaryFolder} from '../journal/records.ts';
import {startServer} from '../helpers/server-process.ts';

const examples = fileURLToPath(new URL('../../examples/python/', import.meta.url));

const program = `
import sys
from processual import Service
service = Service(sys.argv[1])
print(service.post_cycle(content="The sea is quiet.", metadata={"source": "Ada"})["state_id"])
print(service.get_ledger(by="source")["entries"][-1]["key"])
service.put_identities_id(id="bert")
print([entry["id"] for entry in service.get_identities()["identities"]])
`;

test('the Python client runs a cycle, reads the ledger and creates an identity', async t => {
	await using server = startServer(await temporaryFolder(t));
	const {stdout} = await promisify(execFile)(
		'python3', ['-B', '-c', program, await server.ready()], {cwd: examples, env: childEnvironment},
	);
	t.is(stdout, '1\nAda\n[\'bert\', \'default\']\n');
});
