/** Replaces `actors/packaged.ts` in bundles for a page or a worker (`imports` in package.json). */
throw new Error('The package\'s own files cannot be read in a page.');
