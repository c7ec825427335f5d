/** The settings as a Markdown table. */
import {Settings} from '../src/commands/settings.ts';

type Described = {default?: unknown; enum?: string[]; description: string};

export const settingsTable = (): string => [
	'| setting | default | meaning |',
	'|---|---|---|',
	...Object.entries(Settings.properties).map(([name, schema]) => {
		const {default: standard, enum: choices, description} = schema as unknown as Described;
		const values = choices ? ` One of ${choices.map(choice => `\`${choice}\``).join(', ')}.` : '';
		return `| \`${name}\` | ${standard === undefined ? '' : `\`${String(standard)}\``} | ${description}${values} |`;
	}),
].join('\n');
