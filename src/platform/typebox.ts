/**
 * TypeBox, as far as this package uses it. The build bundles it into one file: its package has 700 modules,
 * which take Node 100 ms and 12 MB at each start. The one file takes 6 ms of the command's start with the compile
 * cache (best of 21 imports, Node 24), so the settings can be a schema.
 */
export {Type, type Static, type TObject, type TProperties, type TSchema} from 'typebox';
export {Compile} from 'typebox/compile';
export {Value} from 'typebox/value';
