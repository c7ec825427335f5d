export {parse, type CsvError} from 'csv-parse/sync';
