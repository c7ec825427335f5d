/** A forgetting: the texts that are gone for good, the decision, and the receipt. */
import {Type} from '../../platform/typebox.ts';
import {flag, integer, list, nullable, nullableText, number, onlyThese, shape, text, timestamp} from '../../wire/builders.ts';
import {byField, changed, decidedBy, noteField, turn} from './revision.ts';

const names = (description: string, example: string) =>
	Type.Optional(list(description, text('One of them.', example), {default: []}));

export const ForgetRequest = onlyThese(Type.Object({
	note: noteField('Why they are forgotten. It is kept: name no one who is to be forgotten.', 'A request of 3 March.'),
	sources: names('Texts of these sources. A source is metadata.source, else the trigger.', 'Viktor'),
	conversations: names('Texts of these conversations: metadata.conversation.', 'c-17'),
	ids: names('The texts of these cycles.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	by: byField,
	dryRun: Type.Optional({...flag('Whether it is only computed, and nothing changes.', true), default: false}),
}, {
	title: 'ForgetRequest', description: 'Which texts are to be gone, and why.',
	examples: [{note: 'A request of 3 March.', sources: ['Viktor'], dryRun: true}],
}));

const Traces = shape('Traces', 'Passages by a salted hash of each. They can be searched for, but not read.', {
	salt: text('Random; in base64.', 'q83vEjRWeJCrze8SNFZ4kA=='),
	passages: text('Eleven bytes for each passage, in base64.', 'AAECAwQFBgcICQo='),
});

/** It is handed out, and stored nowhere. */
export const Receipt = shape('ForgetReceipt', 'Proof that texts were forgotten. Anyone who guesses a whole passage of them can check '
	+ 'the guess with it, so keep it as safe as your own records. The service keeps none.', {
	id: text('Of the forgetting, and of its tombstones.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was done; ISO 8601, UTC.'),
	texts: integer('How many texts are gone.', 237, {minimum: 0}),
	tombstones: text('The numbers of their records, of which position and time are left.', '17 20-24'),
	digest: text('SHA-256 over numbers and times of the tombstones, in hexadecimal: GET /revisions has the same.', 'a3f1'),
	contents: Traces,
	vectors: Traces,
	unreached: list('What it cannot reach.', text('A sentence.', 'Backups of the folder of data.')),
	checksum: text('SHA-256 over all of the above, in hexadecimal.', '9b2c'),
});

export const ForgetResponse = shape('ForgetResponse', 'What a forgetting did, or would do.', {
	id: nullableText('Its id. Null for a dry run.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	note: text('Why it was made.', 'A request of 3 March.'),
	by: decidedBy,
	texts: integer('How many texts are gone, or would be.', 237, {minimum: 0}),
	...turn,
	...changed,
	validation: nullableText('What became of the validation. Null where it has none of the texts.', 'The validation is made again '
		+ 'without 40 texts.'),
	limit: nullableText('What of the texts stays in the state, and which sources look alike. Null for nothing.',
		'Records up to state 120 are compacted.'),
	elsewhere: list('What was removed beside the journal.', text('A sentence.', 'The store in .processual/store.sqlite: 3 thoughts.')),
	receipt: nullable('Null for a dry run.', Receipt),
	tookSeconds: number('How long it took.', 0.4, {unit: 's', minimum: 0}),
});
