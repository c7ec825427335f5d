/** The search on each page of the site: finds parts of documents, from the first letter typed. */
import MiniSearch from 'minisearch';

const root = document.body.dataset['root'];
const field = document.querySelector('#search');
const found = document.querySelector('#found');

const maxFound = 12;

/** Loaded when the reader begins to search. */
let index;
const openIndex = async () => {
	const search = new MiniSearch({
		fields: ['title', 'page', 'text'], storeFields: ['title', 'page'], searchOptions: {boost: {title: 4, page: 2}, prefix: true, fuzzy: 0.15, combineWith: 'AND'},
	});
	const sections = await (await fetch(`${root}sections.json`)).json();
	const first = new Map(sections.map(section => [section.id, section]));
	search.addAll([...first.values()]);
	return search;
};

const toItem = ({id, title, page}) => {
	const item = document.createElement('li');
	const link = document.createElement('a');
	link.href = root + id;
	link.textContent = title === page ? title : `${page}: ${title}`;
	item.append(link);
	return item;
};

field.addEventListener('input', async () => {
	index ??= openIndex();
	const query = field.value;
	const results = (await index).search(query).slice(0, maxFound);
	if (query === field.value) {
		found.replaceChildren(...results.map(toItem));
	}
});
field.form.addEventListener('submit', event => {
	event.preventDefault();
	found.querySelector('a')?.click();
});
