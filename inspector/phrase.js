// @ts-check
/** What the page says, in the language of the service: that of the page that it serves, which has its phrases. */
import {setLanguage} from '../src/platform/phrase.ts';

// The modules that only format run without a page too.
const page = /** @type {Document | undefined} */ (globalThis.document);
const phrases = page?.getElementById('phrases')?.textContent;
if (phrases) {
	setLanguage(page?.documentElement.lang === 'fr' ? 'fr' : 'en', JSON.parse(phrases));
}

export * from '../src/platform/phrase.ts';
