/** Preloaded into a process and its workers: transformers.js is installed under its current name. */
import {replacePackages} from '../helpers/missing-packages.ts';

replacePackages({'@huggingface/transformers': import.meta.resolve('@xenova/transformers'), '@xenova/transformers': null});
