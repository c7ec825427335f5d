/** The commands that ask an identity: how each is asked, and how it shows the answer. The identity may be here or afar. */
import {Option, type Command} from 'commander';
import type {Identity} from '../identity/identity.ts';
import {groupings} from '../instruments/ledger.ts';
import {lenses} from '../instruments/scaled-profile.ts';
import type {Needs} from './ask-identity.ts';
import {showDifference, showDrift, showDryRun, showHistory, showLedger, showProfile, showSources, showValidation, showWhatIf} from './show-answers.ts';

/** The questions that commands ask: methods of an identity. */
type Asked = 'scaledProfile' | 'ledger' | 'history' | 'diff' | 'drift' | 'sources' | 'validate' | 'dryRun' | 'whatIf';

/** What a command line gives, by the names of its arguments and options. */
export type Given = Readonly<Record<string, unknown>>;

export type AskingCommand<Name extends Asked = Asked> = {
	readonly name: string;
	readonly description: string;
	readonly question: Name;
	/** @default the directions */
	readonly needs?: (given: Given) => Needs;
	/** Adds arguments and options. Those that the question has are what is asked. */
	readonly declare: (command: Command) => Command;
	/** What is asked beside that. */
	readonly toRequest?: (given: Given) => object;
	readonly show: (answer: Awaited<ReturnType<Identity[Name]>>, given: Given) => string;
};

const asking = <Name extends Asked>(row: AskingCommand<Name>) => row as unknown as AskingCommand;

/** Digits are a state's id. */
const toMoment = (given: string): number | string => /^\d+$/.test(given) ? Number(given) : given;

const moment = 'a state\'s id or a time';

const fromBeginning = (command: Command): Command => command.option('--since <moment>', moment, toMoment, 'beginning');

const fromValidation = (command: Command): Command => command.option('--since <moment>', `${moment}; by default the validation`, toMoment);

const ifAlong = ({direction}: Given): Needs => ({directions: direction !== undefined});

export const askingCommands: readonly AskingCommand[] = [
	asking({
		name: 'profile',
		description: 'Show what the identity leans to, in the units of example sentences.',
		question: 'scaledProfile',
		declare: command => command
			.addOption(new Option('--lens <lens>', 'own: each direction on the dimension of its category; thirdness: every direction on thirdness, which texts move').choices(lenses).default('own'))
			.option('--all', 'also what is no different from chance'),
		show: (profile, {all}) => showProfile(profile, all === true),
	}),
	asking({
		name: 'ledger',
		description: 'Show what the present is made of: the beginning, who said what, and the rule\'s own push.',
		question: 'ledger',
		needs: ifAlong,
		declare: command => fromBeginning(command
			.addOption(new Option('--by <what>', 'what the entries are').choices(groupings).default('source'))
			.option('--direction <key>', 'the direction that parts are measured on, such as relational.trust')
			.addOption(new Option('--lens <lens>', 'own: the direction on the dimension of its category, of which only thirdness moves; thirdness: on thirdness').choices(lenses).default('thirdness')))
			.option('--limit <count>', 'how many entries', Number, 20),
		show: showLedger,
	}),
	asking({
		name: 'history',
		description: 'Show how the present came about, state by state.',
		question: 'history',
		needs: ifAlong,
		declare: command => fromBeginning(command
			.option('--points <count>', 'how many states at most', Number, 20)
			.option('--direction <key>', 'a direction that thirdness is followed on, such as relational.trust')),
		show: showHistory,
	}),
	asking({
		name: 'diff',
		description: 'Show what differs between two moments, and because of which texts.',
		question: 'diff',
		declare: command => command
			.option('--from <moment>', moment, toMoment, 'beginning')
			.option('--to <moment>', moment, toMoment, 'present'),
		show: showDifference,
	}),
	asking({
		name: 'drift',
		description: 'Show how far the identity moved since its validation, and whether chance explains it.',
		question: 'drift',
		declare: fromValidation,
		show: showDrift,
	}),
	asking({
		name: 'sources',
		description: 'Show whose texts the identity is made of, and who is not as before.',
		question: 'sources',
		needs: () => ({}),
		declare: fromValidation,
		show: showSources,
	}),
	asking({
		name: 'validate',
		description: 'Say that this is who the identity should be: drift is measured from here on.',
		question: 'validate',
		needs: () => ({writes: true}),
		declare: command => command
			.argument('<note>', 'what it is made for')
			.option('--accept-unread', 'also where many of the last texts are in languages that the embedding model does not read'),
		show: showValidation,
	}),
	asking({
		name: 'dry-run',
		description: 'Show what a text would do, before it is said.',
		question: 'dryRun',
		needs: () => ({directions: true, says: true}),
		declare: command => command.argument('<content>', 'the text'),
		show: showDryRun,
	}),
	asking({
		name: 'what-if',
		description: 'Compare the identity with the one that it would be without some texts, or with others.',
		question: 'whatIf',
		needs: () => ({directions: true, says: true}),
		declare: command => command
			.option('--from <moment>', `where the other self begins: ${moment}`, toMoment, 'beginning')
			.option('--without-source <source...>', 'leave out the texts of these sources', [])
			.option('--without-trigger <trigger...>', 'leave out the texts with these triggers', [])
			.option('--without-id <id...>', 'leave out the texts of these cycles', [])
			.option('--add <text...>', 'say these texts now', []),
		toRequest: ({withoutSource: sources, withoutTrigger: triggers, withoutId: ids}) => ({without: {sources, triggers, ids}}),
		show: showWhatIf,
	}),
];

/** What a command that was parsed was given. */
export const givenTo = (command: Command): Given =>
	({...command.opts(), ...Object.fromEntries(command.registeredArguments.map((argument, i) => [argument.name(), command.args[i]]))});
