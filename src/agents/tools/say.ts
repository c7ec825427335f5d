/** `say`: a text moves the state. */
import type {Identity} from '../../identity/identity.ts';
import type {CycleRequest} from '../../identity/views.ts';
import {ownSource} from '../../instruments/source-of.ts';
import {UnknownOutcomeError} from '../../platform/errors.ts';
import {fields, numberField, countField, spoken, summary, textField, tool} from './tool.ts';

/** If the answer was lost, a program can repeat the text under the error's id. A model cannot, but it can look. */
const hear = async (identity: Identity, request: CycleRequest, signal?: AbortSignal) => {
	try {
		return await identity.cycle(request, {signal});
	} catch (error) {
		throw error instanceof UnknownOutcomeError
			? new UnknownOutcomeError('The answer was lost, so it is not known whether the text was heard. Before you say it again, check with '
				+ 'history whether it is the newest text.', {id: error.id, cause: error})
			: error;
	}
};

export const say = tool({
	name: 'say',
	title: 'Say something to the identity',
	description: 'Tells the identity a text, which moves its state a little, for good. Call it once for each thing that was said: every '
		+ 'message of a person, with the person’s name as source, and your own answers, with the source “self”, both with the '
		+ 'name of their conversation.',
	input: fields(spoken),
	output: fields({
		summary: summary(),
		id: textField('The id of the text’s record.'),
		stateId: countField('The number of the state that it made.'),
		dissonance: numberField('How unlike the state the text is: 0 the same, 1 unrelated, 2 the opposite.'),
		delta: numberField('How far it moved the state: a distance on the unit sphere, at most 0.001.'),
	}),
	isReadOnly: false,
	async run(identity, {text: content, source, conversation = source === ownSource ? undefined : source}, signal) {
		const {id, stateId, dissonanceTotal, deltaMagnitude, held} = await hear(identity, {content, source, conversation}, signal);
		return {
			summary: held === undefined
				? `Heard and kept: state ${stateId}. Its dissonance is ${dissonanceTotal.toFixed(2)}.`
				: `It is held back and moved nothing. ${held}`,
			id,
			stateId,
			dissonance: dissonanceTotal,
			delta: deltaMagnitude,
		};
	},
});
