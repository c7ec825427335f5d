/** Gives the output of a command that asks an identity. */
import {Command} from 'commander';
import {askingCommands, declareAsking, nameOfCommand, printAnswer} from '../../src/commands/questions.ts';
import {givenTo} from '../../src/commands/setting-options.ts';
import type {Settings} from '../../src/commands/settings.ts';

export const ask = async (settings: Settings, name: string, ...words: string[]): Promise<string> => {
	const row = askingCommands.find(command => nameOfCommand(command) === name)!;
	return printAnswer(settings, row, givenTo(declareAsking(new Command(name), row).parse(words, {from: 'user'})));
};
