/** Stands for `packaged.ts` in a bundle for pages (`browser` in package.json): whoever needs it is told why it is not there. */
throw new Error('it is bundled for a page');
