// @ts-check
/**
 * What a new identity shows: the languages that its model reads, and lines to copy with which an agent, a terminal or a
 * program can speak to it.
 */
import {hasToken, namedIdentity, serviceAddress} from '../api.js';
import {getById, html} from '../dom.js';
import {currentLanguage, phrase} from '../phrase.js';

const tokenName = 'PROCESSUAL_TOKEN';

/** The lines, each set with a title and a note on where to paste it. @returns {{title: string, note: string, lines: string}[]} */
const listWays = () => {
	const name = namedIdentity ?? 'identity';
	const [mcp, cycle] = ['mcp', 'cycle'].map(path => `${serviceAddress}/${namedIdentity === null ? '' : `identities/${namedIdentity}/`}${path}`);
	const env = {PROCESSUAL_URL: serviceAddress, ...(namedIdentity !== null && {IDENTITY: namedIdentity}), ...(hasToken() && {[tokenName]: '…'})};
	const text = {content: phrase`The sea is quiet today.`, source: 'Ada', conversation: phrase`Monday`};
	const options = [`baseUrl: '${serviceAddress}'`, ...(namedIdentity === null ? [] : [`identity: '${namedIdentity}'`]), ...(hasToken() ? [`token: process.env.${tokenName}`] : [])];
	return [
		{
			title: 'Claude Desktop, Cursor',
			note: phrase`in their settings of the Model Context Protocol; needs the command processual`,
			lines: JSON.stringify({mcpServers: {[name]: {command: 'processual', args: ['mcp'], env}}}),
		},
		{
			title: 'Claude Code',
			note: phrase`in a terminal`,
			lines: `claude mcp add --transport http ${name} ${mcp}${hasToken() ? ` --header "Authorization: Bearer $${tokenName}"` : ''}`,
		},
		{
			title: 'curl',
			note: phrase`in a terminal`,
			lines: `curl ${cycle}${hasToken() ? ` -H "Authorization: Bearer $${tokenName}"` : ''} -H 'Content-Type: application/json' -d '${JSON.stringify(text)}'`,
		},
		{
			title: phrase`A program`,
			note: phrase`with the package processual-state`,
			lines: [
				'import {connectIdentity} from \'processual-state/client\';',
				'',
				`const identity = connectIdentity({${options.join(', ')}});`,
				`await identity.cycle(${JSON.stringify(text)});`,
				'await identity.dispose();',
			].join('\n'),
		},
	];
};

/** @param {{title: string, note: string, lines: string}} way */
const describe = ({title, note, lines}) => {
	const copy = html('button', {'type': 'button', 'class': 'small', 'aria-label': phrase`Copy the lines for ${title}`}, phrase`Copy`);
	copy.addEventListener('click', async () => {
		await navigator.clipboard.writeText(lines);
		copy.textContent = phrase`Copied`;
	});
	// Browsers offer no clipboard to pages that another machine serves over plain HTTP.
	copy.hidden = !('clipboard' in navigator);
	return html('section', {},
		html('h3', {}, title, ' ', html('small', {}, note), ' ', copy),
		html('pre', {'tabindex': '0', 'role': 'region', 'aria-label': phrase`The lines for ${title}`}, lines));
};

/** @param {boolean} isEmpty Whether the identity has no texts yet: then the greeting is shown, and the lines are open. */
export const showHello = isEmpty => {
	getById('hello', HTMLElement).hidden = !isEmpty;
	getById('ways', HTMLElement).replaceChildren(...listWays().map(describe));
	// They stay open: the user may be copying them when the first text arrives.
	getById('connect', HTMLDetailsElement).open ||= isEmpty;
};

const names = new Intl.DisplayNames(currentLanguage(), {type: 'language'});

/** @param {string[] | undefined} languages The languages that the model reads; undefined if unknown. */
export const showLanguages = languages => {
	const element = getById('languages', HTMLParagraphElement);
	element.hidden = languages === undefined;
	if (languages) {
		const known = languages.map(language => names.of(language) ?? language).join(', ');
		element.textContent = languages.includes('fr')
			? phrase`Its embedding model reads ${known} only. For other languages choose a model that knows them before the first text: EMBEDDING_MODEL=Xenova/bge-m3 reads a hundred.`
			: phrase`Its embedding model reads ${known} only. For other languages choose a model that knows them before the first text: EMBEDDING_MODEL=bundled:universal-sentence-encoder-lite-q8-fr reads French approximately, Xenova/bge-m3 a hundred.`;
	}
};
