/** Preloaded into a process and its workers: transformers.js is not installed. */
import {replacePackages} from '../helpers/missing-packages.ts';

replacePackages({'@huggingface/transformers': null, '@xenova/transformers': null});
