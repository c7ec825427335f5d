/** Writes `src/generated` from the table of questions and the package's version. A file whose content would be the same is not written. */
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {questions} from '../src/http/questions.ts';
import {CreateIdentityRequest, Identities, IdentityInfoSchema} from '../src/http/routes/identities.ts';
import {Fleet, FleetRequest} from '../src/instruments/answers/fleet.ts';
import {OpenapiDocument} from '../src/http/openapi.ts';
import {Alive, Ready} from '../src/http/routes/probes.ts';
import {CycleRequestSchema, CycleResponse} from '../src/http/schemas/changes.ts';
import {askedRows} from './asked-rows.ts';
import {askedNamesText, rowsText, typesText} from './generated-types.ts';

const folder = new URL('../src/generated/', import.meta.url);
const {version} = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8')) as {version: string};
await mkdir(folder, {recursive: true});
for (const [name, text] of Object.entries({
	'types.ts': typesText(questions, {asked: [CycleRequestSchema, FleetRequest, CreateIdentityRequest], answered: [CycleResponse, Fleet, Identities, IdentityInfoSchema, Alive, Ready, OpenapiDocument]}),
	'rows.ts': rowsText(askedRows),
	'asked-names.ts': askedNamesText(questions),
	'version.ts': `/** The version of the package. Written by \`npm run generate\`. */\nexport const packageVersion = '${version}';\n`,
})) {
	const file = new URL(name, folder);
	if (await readFile(file, 'utf8').catch(() => null) !== text) {
		await writeFile(file, text);
	}
}
