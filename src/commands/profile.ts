/** `processual profile`: what the identity leans to, from its journal and without a model. */
import {ConfigurationError} from '../platform/errors.ts';
import {toJson} from '../http/question.ts';
import {ScaledProfile as Answer} from '../instruments/answers/scaled-profile.ts';
import {readScaledProfile, type Lens, type ScaledProfile} from '../instruments/scaled-profile.ts';
import {selectKernel} from '../kernel/select.ts';
import {formatTable} from './format-table.ts';
import {describePlace, readJournalOf} from './open-journal.ts';
import {readDirections} from './read-directions.ts';
import type {Settings} from './settings.ts';

type Options = {
	lens?: Lens;
	/** Whether to show what is no different from chance. */
	all?: boolean;
	json?: boolean;
	isTerminal?: boolean;
};

/** @throws {ConfigurationError} where there is no journal */
export const describeProfile = async (settings: Settings, {lens = 'own', all = false, json = false, isTerminal = false}: Options = {}): Promise<string> => {
	const life = await readJournalOf(settings, reader => ({genesis: reader.genesis, state: reader.current}));
	if (!life) {
		throw new ConfigurationError(`There is no identity yet: no journal was begun in ${describePlace(settings)}.`);
	}

	const {genesis: {passport, isRandom, initial}, state} = life;
	const profile = readScaledProfile(selectKernel(settings.KERNEL), state, await readDirections(settings, passport, isTerminal), lens, isRandom ? initial.rows : null);
	return json ? toJson(Answer, profile) : describe(profile, all);
};

const describe = ({stateId, begunAtRandom, examples, note, directions}: ScaledProfile, all: boolean): string => {
	const shown = directions
		.filter(({standsOut}) => all || standsOut)
		.toSorted((a, b) => Math.abs(b.z ?? 0) - Math.abs(a.z ?? 0));
	return [
		`State ${stateId}, compared with ${examples} example sentences.`,
		...(begunAtRandom ? ['This identity began at random: what does not move is chance.'] : []),
		...(note === null ? [] : [note]),
		...(shown.length === 0 ? ['Nothing stands out.'] : ['', formatTable(
			['direction', 'leans to', 'rather than', 'z', 'percentile', 'word', 'moves'],
			shown.map(({key, pole, polePositive, poleNegative, z, percentile, word, moves}) =>
				[key, pole, pole && (pole === polePositive ? poleNegative : polePositive), z?.toFixed(2) ?? null, percentile?.toFixed(2) ?? null, word, moves]),
		)]),
		...(all || shown.length === directions.length ? [] : ['', `${directions.length - shown.length} more are no different from chance; --all shows them.`]),
	].join('\n');
};
