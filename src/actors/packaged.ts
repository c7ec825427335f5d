/**
 * What comes with the package as files: the bundled model, the built-in directions and the daemon's sentences. It needs
 * Node, or a runtime that does as Node does, so it is imported when one of them is wanted and not before; in a bundle
 * for pages `browser/packaged.ts` stands for it.
 */
import {builtInCatalogue, loadCatalogue} from '../sources/directions/catalogue.ts';
import {loadDirections} from '../sources/directions/vectors.ts';
import type {Boot} from '../sources/source.ts';
import type {Direction} from '../semiosis/profile.ts';

export {loadEncoder} from '../embedding/load-encoder.ts';
export {loadThemes} from '../sources/themes.ts';

export const loadBuiltInDirections = async (boot: Boot): Promise<Direction[]> =>
	loadDirections(await loadCatalogue(builtInCatalogue, boot), boot);
