/**
 * A program that prints, as one JSON array, what `processual` prints for each of the given lists of arguments. Its
 * modules are loaded once; only the one that declares its commands runs for each list.
 */
const [node, , program, given] = process.argv as [string, string, string, string];

// Each list adds its own listeners to the streams.
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);

/** As `process.exit` does, it does not return. */
const end = (): never => {
	throw Object.assign(new Error('ended'), {stack: ''});
};

const print = process.stdout.write.bind(process.stdout);
const printed: string[] = [];
process.exit = end;
for (const [i, list] of (JSON.parse(given) as string[][]).entries()) {
	printed[i] = '';
	process.argv = [node, program, ...list];
	process.stdout.write = (text: string | Uint8Array): boolean => {
		printed[i] += String(text);
		return true;
	};
	await import(`${program}?${i}`);
}

process.exitCode = 0;
print(JSON.stringify(printed));
