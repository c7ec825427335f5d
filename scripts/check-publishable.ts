/** Refuses to publish while the project's addresses in package.json are placeholders, under a domain that cannot exist. */
import {readFile} from 'node:fs/promises';

const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>;
const missing = ['repository', 'bugs', 'homepage'].filter(field => !/https?:\/\/(?!example\.invalid\/)./.test(JSON.stringify(manifest[field] ?? '')));
if (missing.length > 0) {
	console.error(`package.json has no real ${missing.join(', ')}. Write the project's addresses there, then publish again.`);
	process.exitCode = 1;
}
