/** Messages for clients, without paths of the service's machine. */
import test from 'ava';
import {redactedMessage, redactPaths} from '../../src/wire/errors.ts';

const redacted: Record<string, [message: string, redacted: string]> = {
	'a path': ['cannot open /srv/identity/journal.sqlite: no such file', 'cannot open …: no such file'],
	'a quoted path with a space': ['cannot open "/srv/my identity/x"', 'cannot open …'],
	'a file URL': ['imported from file:///srv/x.js', 'imported from …'],
	'a Windows path': ['cannot open C:\\identity\\x', 'cannot open …'],
	'a stack': ['it broke\n    at run (index.js:1:2)\n    at index.js:3:4', 'it broke'],
};

for (const [what, [message, expected]] of Object.entries(redacted)) {
	test(`${what} is left out`, t => {
		t.is(redactPaths(message), expected);
		t.is(redactedMessage(new Error(message)), expected);
	});
}

test('text that looks like a path but is not one is kept', t => {
	for (const message of ['and/or', 'see https://example.org/page', 'src/platform/x.ts', 'listed by GET /held', '3 / 4', 'meet\nat noon']) {
		t.is(redactPaths(message), message);
	}
});

test('the time is linear in the length of the text', t => {
	// With backtracking, this would take a quarter of an hour, and the test would time out.
	for (const repeated of ['\n', '\n ', ' \n at', '"/', '\'/"/', 'file:', '\\', '/', '/ ', 'c:\\ ']) {
		t.is(typeof redactPaths(`/${repeated.repeat(500_000)}`), 'string');
	}
});
