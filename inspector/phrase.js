// @ts-check
/** The page's phrases in the language of the service, which embeds them in the page. */
import {setLanguage} from '../src/platform/phrase.ts';

// The modules that only format also run without a page.
const page = /** @type {Document | undefined} */ (globalThis.document);
const phrases = page?.getElementById('phrases')?.textContent;
if (phrases) {
	setLanguage(page?.documentElement.lang === 'fr' ? 'fr' : 'en', JSON.parse(phrases));
}

export * from '../src/platform/phrase.ts';
