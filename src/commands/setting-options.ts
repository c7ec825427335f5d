/** The settings as options of the command line: `CYCLE_INTERVAL_SECONDS` is `--cycle-interval-seconds`. */
import {Option, type Command} from 'commander';
import {Settings} from './settings.ts';

type Described = {default?: unknown; enum?: string[]; description: string};

export const toFlag = (name: string): string => `--${name.toLowerCase().replaceAll('_', '-')}`;

/** Commander's attribute of an option → the setting's name. */
const nameByAttribute = new Map<string, keyof Settings>();

/** One option per setting. Commander only shows the default; the schema applies it, after the environment. */
export const settingOptions: readonly Option[] = Object.entries(Settings.properties).map(([name, schema]) => {
	const {default: value, enum: choices, description} = schema as unknown as Described;
	const standard = value === undefined ? '' : ` Default: ${JSON.stringify(value)}.`;
	const option = new Option(`${toFlag(name)} <value>`, `${description} (${name})${standard}`);
	nameByAttribute.set(option.attributeName(), name as keyof Settings);
	return (choices ? option.choices(choices) : option).helpGroup('Settings:');
});

/** The setting of an option; undefined for an option of the command. */
export const nameOfSetting = (option: Option): keyof Settings | undefined => nameByAttribute.get(option.attributeName());

/** The settings among a command's options, by their names. */
export const pickSettings = (options: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(Object.entries(options)
		.filter(([attribute]) => nameByAttribute.has(attribute))
		.map(([attribute, value]) => [nameByAttribute.get(attribute)!, value]));

/** The values of a command line, by the names of arguments and options. */
export type Given = Readonly<Record<string, unknown>>;

/** The values of a parsed command. */
export const givenTo = (command: Command): Given =>
	({
		...command.opts(),
		...Object.fromEntries(command.registeredArguments.map((argument, i) => [argument.name(), command.processedArgs[i]])),
	});
