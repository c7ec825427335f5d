/** What clients are told, without the places where the software lies. */
import test from 'ava';
import {withoutPlaces} from '../../src/http/without-places.ts';

const told: Record<string, [message: string, told: string]> = {
	'a path': ['cannot open /srv/identity/journal.sqlite: no such file', 'cannot open …: no such file'],
	'a quoted path with blanks': ['cannot open "/srv/my identity/x"', 'cannot open …'],
	'the address of a file': ['imported from file:///srv/x.js', 'imported from …'],
	'a path on Windows': ['cannot open C:\\identity\\x', 'cannot open …'],
	'a stack': ['it broke\n    at run (index.js:1:2)\n    at index.js:3:4', 'it broke'],
};

for (const [what, [message, expected]] of Object.entries(told)) {
	test(`${what} is left out`, t => {
		t.is(withoutPlaces(message), expected);
	});
}

test('what looks like a path and is none stays', t => {
	for (const message of ['and/or', 'see https://example.org/page', 'src/x.ts', '3 / 4', 'meet\nat noon']) {
		t.is(withoutPlaces(message), message);
	}
});

test('no text takes longer than its length asks for', t => {
	// With a search that goes back, this would take a quarter of an hour, and the test would time out.
	for (const repeated of ['\n', '\n ', ' \n at', '"/', '\'/"/', 'file:', '\\', '/', '/ ', 'c:\\ ']) {
		t.is(typeof withoutPlaces(`/${repeated.repeat(500_000)}`), 'string');
	}
});
