/** Preloaded into a process and its workers: transformers.js is installed in an old version. */
import {replacePackages} from '../helpers/missing-packages.ts';

replacePackages({'@huggingface/transformers': null, '@xenova/transformers': 'data:text/javascript,export const env = {version: "2.17.2"}'});
