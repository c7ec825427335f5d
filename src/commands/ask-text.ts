/** `processual dry-run` and `what-if`: what a running service answers at /dry-run and /what-if, of one that is stopped. */
import {systemTime} from '../platform/clock.ts';
import {requireSameModel} from '../actors/boot-steps.ts';
import {passportOf, type Encoder, type LoadedEncoder} from '../embedding/encoder.ts';
import {toJson} from '../http/question.ts';
import {DryRunResponse} from '../http/schemas/dry-run.ts';
import {askWhatIf, dryRun, type PastDeps} from '../identity/ask-past.ts';
import type {DryRunView, WhatIfRequest, WhatIfView} from '../identity/views.ts';
import {WhatIfResponse} from '../instruments/answers/what-if.ts';
import {selectKernel} from '../kernel/select.ts';
import {Past} from '../instruments/past/past.ts';
import {RecentTexts} from '../instruments/past/recent-texts.ts';
import {startVigilance} from '../semiosis/vigilance.ts';
import type {Shown} from './ask-journal.ts';
import {formatTable} from './format-table.ts';
import {loadModel} from './load-model.ts';
import {openReaderOf} from './open-journal.ts';
import {openSources} from './open-sources.ts';
import {readDirections} from './read-directions.ts';
import type {Settings} from './settings.ts';

/** Asks with what the service would start with. The model is loaded with the first text. */
const ask = async <Answer>(settings: Settings, isTerminal: boolean, question: (deps: PastDeps) => Promise<Answer>): Promise<Answer> => {
	const reader = await openReaderOf(settings);
	const {sources: {authority: loadAuthority, corroborate}, close} = await openSources(settings);
	const {initial, reference, passport} = reader.genesis;
	let loading: Promise<LoadedEncoder> | undefined;
	const load = async (): Promise<LoadedEncoder> => {
		const loaded = await loadModel(settings, isTerminal);
		requireSameModel(passport, passportOf(loaded));
		return loaded;
	};

	const encoder: Encoder = {passport, embed: async (text, signal) => (await (loading ??= load())).embed(text, signal)};
	try {
		const kernel = selectKernel(settings.KERNEL);
		const state = reader.current;
		const life = {initial, reference, authority: await loadAuthority({encoder, signal: new AbortController().signal})};
		const vigilance = startVigilance(kernel, state.rows, reference.rows, reader.checkpoint?.cumulativeDrift);
		const directions = await readDirections(settings, passport, isTerminal);
		return await question({
			kernel,
			time: systemTime,
			corroborate,
			encoder,
			past: new Past(reader, kernel, () => life),
			recentTexts: new RecentTexts(reader, kernel),
			getPresent: () => ({...life, state, vigilance, directions}),
		});
	} finally {
		await Promise.allSettled([reader.close(), loading?.then(async loaded => loaded.dispose()), close()]);
	}
};

/** @throws {JournalError} without a journal, and while a service has it open */
export const printDryRun = async (settings: Settings, content: string, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const view = await ask(settings, isTerminal, async deps => dryRun({content}, deps));
	return json ? toJson(DryRunResponse, view) : describeDryRun(view);
};

/** @throws {JournalError} without a journal, and while a service has it open */
export const printWhatIf = async (settings: Settings, request: WhatIfRequest, {json = false, isTerminal = false}: Shown = {}): Promise<string> => {
	const view = await ask(settings, isTerminal, async deps => askWhatIf(request, deps));
	return json ? toJson(WhatIfResponse, view) : describeWhatIf(view);
};

const describeDryRun = ({dissonanceTotal, dissonancePercentile, turnMrad, moves, nearest}: DryRunView): string => [
	`Dissonance ${dissonanceTotal.toFixed(3)}${dissonancePercentile === null ? '' : `, more than ${(100 * dissonancePercentile).toFixed(0)}% of the last texts`}. It would turn the state by ${turnMrad.toFixed(3)} mrad.`,
	...(moves.length === 0 ? [] : ['', formatTable(
		['direction', 'towards', 'before', 'after', 'change'],
		moves.map(({key, polePositive, poleNegative, before, after, change}) => [key, change > 0 ? polePositive : poleNegative, before.toFixed(5), after.toFixed(5), change.toFixed(5)]),
	)]),
	...(nearest.length === 0 ? [] : ['', formatTable(
		['cosine', 'when', 'nearest text'],
		nearest.map(({cosine, timestamp, content}) => [cosine.toFixed(3), timestamp, content]),
	)]),
].join('\n');

const describeWhatIf = ({from, cycles, leftOut, added, angleMrad, directions, words, p}: WhatIfView): string => [
	`Texts since state ${from.stateId}: ${cycles}; left out: ${leftOut}; added: ${added}. The other self is ${angleMrad.toFixed(1)} mrad away.`,
	...words,
	...(p === null ? [] : [`Ordinary talk since the validation would lead as far in ${(100 * p).toFixed(0)} of 100 cases (p ${p.toFixed(2)}).`]),
	...(directions.length === 0 ? [] : ['', formatTable(
		['direction', 'leans more to', 'present', 'other', 'difference', 'z'],
		directions.map(({key, polePositive, poleNegative, present, other, difference, zDifference}) =>
			[key, difference > 0 ? polePositive : poleNegative, present.toFixed(5), other.toFixed(5), difference.toFixed(5), zDifference?.toFixed(2) ?? null]),
	)]),
].join('\n');
