export {Type, type Static, type TObject, type TProperties, type TSchema} from 'typebox';
export {Value} from 'typebox/value';
export {Compile} from 'typebox/compile';
