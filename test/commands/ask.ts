/** What a command that asks an identity prints, by its words. */
import {Command} from 'commander';
import {printAnswer} from '../../src/commands/print-answer.ts';
import {askingCommands, givenTo} from '../../src/commands/questions.ts';
import type {Settings} from '../../src/commands/settings.ts';

export const ask = async (settings: Settings, name: string, ...words: string[]): Promise<string> => {
	const row = askingCommands.find(command => command.name === name)!;
	return printAnswer(settings, row, givenTo(row.declare(new Command(name)).option('--json').parse(words, {from: 'user'})));
};
