/** The pleasant–unpleasant axis, which most directions of a catalogue share. It is made like them, and removed from them. */
import {phrase} from '../../platform/phrase.ts';
import type {CatalogueEntry} from './catalogue.ts';

export const toneEntry: CatalogueEntry = {
	category: 'affective',
	name: 'tone',
	// Getters, because the language is set after this module is loaded.
	get pole_positive() {
		return phrase`pleasant`;
	},
	get pole_negative() {
		return phrase`unpleasant`;
	},
	positive: [
		'It was a lovely day and I enjoyed every minute of it.',
		'This is good news, and everybody is pleased.',
		'I like this room, it is beautiful and pleasant.',
		'The meal was delicious and the service was excellent.',
		'He is a nice man, and it is a pleasure to meet him.',
		'The weather is wonderful this week.',
		'My work goes very well, and I am happy with it.',
		'What a great idea, I love it.',
		'She had a delightful evening at the theatre.',
		'The trip was a complete success.',
	],
	negative: [
		'It was an awful day and I hated every minute of it.',
		'This is bad news, and everybody is upset.',
		'I dislike this room, it is ugly and unpleasant.',
		'The meal was disgusting and the service was terrible.',
		'He is a nasty man, and it is a pain to meet him.',
		'The weather is dreadful this week.',
		'My work goes very badly, and I am unhappy with it.',
		'What a stupid idea, I hate it.',
		'She had a horrible evening at the theatre.',
		'The trip was a complete disaster.',
	],
};
