/** Asks what a command asks of an identity, and puts the answer into a text: a table, or the fields of the wire. */
import {toJson} from '../http/question.ts';
import {questions} from '../http/questions.ts';
import {UnknownIdentityError} from '../platform/errors.ts';
import {askIdentity} from './ask-identity.ts';
import {describePlace} from './open-journal.ts';
import type {AskingCommand, Given} from './questions.ts';
import type {Settings} from './settings.ts';

/** @throws {UnknownIdentityError} where no identity has begun; and as {@link askIdentity} does */
export const printAnswer = async (settings: Settings, {question, needs = () => ({directions: true}), toRequest, show}: AskingCommand, given: Given): Promise<string> => {
	const row = questions.find(({name}) => name === question)! as {ask: {properties: object}; answer: Parameters<typeof toJson>[0]};
	const asked = Object.keys(row.ask.properties).flatMap(name => given[name] === undefined ? [] : [[name, given[name]]]);
	const request = {...Object.fromEntries(asked), ...toRequest?.(given)} as object;
	const answer = await askIdentity(settings, needs(given), identity => (identity[question] as (request: object) => Promise<object>)(request));
	if (!answer) {
		throw new UnknownIdentityError(`There is no identity yet: no journal was begun in ${describePlace(settings)}. Set DATA_DIR and IDENTITY to those of an identity, or begin one with “processual serve”.`);
	}

	return given['json'] ? toJson(row.answer, answer) : show(answer as never, given);
};
