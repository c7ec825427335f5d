/** Writes src/client/responses.ts, from the schemas of the routes. */
import {writeFile} from 'node:fs/promises';
import {clientTypes} from './client-types.ts';

await writeFile(new URL('../src/client/responses.ts', import.meta.url), clientTypes());
