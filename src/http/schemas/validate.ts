/** This is who it should be. */
import {Type} from '../../platform/typebox.ts';
import {maxNoteLength} from '../../identity/check-note.ts';
import {minBaseline} from '../../instruments/baseline.ts';
import {integer, nullable, onlyThese, shape, stateId, text, timestamp} from '../../wire/builders.ts';

const note = text('What it was made for.', 'Who it is after the first month.', {minLength: 1, maxLength: maxNoteLength, pattern: '\\S'});

export const ValidateRequest = onlyThese(shape('ValidateRequest', 'This is who it should be.', {
	note,
	acceptUnread: Type.Optional(Type.Boolean({description: 'Whether to validate where more than a tenth of the last 100 texts are in languages that the embedding model does not read; else that is a 409.', examples: [false], default: false})),
}));

export const ValidateResponse = shape('ValidateResponse', 'The validation is durable: drift is measured from it.', {
	id: text('Its id, as its event and its record have it.', '3f0c1a52-6f0e-4d3b-9a57-0d8e1f6b2c11'),
	timestamp: timestamp('When it was made; ISO 8601, UTC.'),
	stateId: stateId(),
	note,
	baseline: shape('Baseline', 'The texts before it, which later ones are compared with.', {
		texts: integer('How many there are.', 600, {minimum: minBaseline.texts}),
		visits: integer('How many visits they were said in: texts of one source without a pause of 30 minutes.', 74, {minimum: minBaseline.visits}),
		sources: nullable('How many sources they have; null where the journal keeps hashes, and triggers stand for sources.', integer('A number.', 6, {minimum: 1})),
		from: timestamp('When the first of them was said; ISO 8601, UTC.'),
	}),
});
