/**
 * The parts that are files of the package: the bundled model, the built-in directions and the daemon's sentences. They
 * need Node or a compatible runtime, so this module is imported only when one of them is needed. In a bundle for pages,
 * `browser/packaged.ts` replaces it.
 */
import {builtInCatalogue, loadCatalogue} from '../sources/directions/catalogue.ts';
import {loadDirections} from '../sources/directions/vectors.ts';
import type {Boot} from '../sources/source.ts';
import type {Direction} from '../semiosis/profile.ts';

export {loadEncoder} from '../embedding/load-encoder.ts';
export {loadThemes} from '../sources/themes.ts';

export const loadBuiltInDirections = async (boot: Boot): Promise<Direction[]> =>
	loadDirections(await loadCatalogue(builtInCatalogue, boot), boot);
