/**
 * TypeBox, as far as this package uses it. The build makes one file of it: its package has 700 modules,
 * which take Node 100 ms and 12 MB at each start.
 */
export {Type, type Static, type TObject, type TProperties, type TSchema} from 'typebox';
export {Compile} from 'typebox/compile';
export {Value} from 'typebox/value';
