/** Computes the vectors of the built-in catalogue by the bundled encoder, for the package. Run it after an edit of the catalogue. */
import {rm} from 'node:fs/promises';
import {bundledModel} from '../src/embedding/use-lite/identifier.ts';
import {loadEncoder} from '../src/embedding/load-encoder.ts';
import {builtInCatalogue, loadCatalogue} from '../src/sources/directions/catalogue.ts';
import {loadDirections, shippedVectors} from '../src/sources/directions/vectors.ts';

await rm(shippedVectors, {recursive: true, force: true});
const encoder = await loadEncoder({model: bundledModel});
await loadDirections(await loadCatalogue(builtInCatalogue), {encoder, folder: shippedVectors});
await encoder.dispose();
