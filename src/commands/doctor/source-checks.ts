/** The doctor's checks of the store, and of the files that an identity begins with. */
import type {Encoder} from '../../embedding/encoder.ts';
import type {Warn} from '../../platform/errors.ts';
import type {OpenSources} from '../open-sources.ts';
import {requireReadableFiles} from '../setting-files.ts';
import type {Settings} from '../settings.ts';
import {ok, type Result} from './checks.ts';

type Sources = OpenSources['sources'];

/** A diagnosis is never cancelled. */
const {signal} = new AbortController();

/** A warning if the work warned, else ok with its message. */
const okUnlessWarned = async (work: (warn: Warn) => Promise<string>): Promise<Result> => {
	const warnings: string[] = [];
	const message = await work(warning => warnings.push(warning));
	return warnings.length > 0 ? {state: 'warning', message: warnings.join(' ')} : ok(message);
};

export const checkStore = async (
	settings: Settings, {store, sources: {initialState}}: OpenSources, encoder: Encoder | null, hasJournal: boolean,
): Promise<Result> => {
	const latest = await store.latestState();
	if (!latest && hasJournal) {
		return ok(`${store.place} has no state and needs none: the journal has its own`);
	}

	if (!latest) {
		return {
			state: settings.REQUIRE_STORE ? 'error' : 'warning',
			message: `${store.place} has no state, so `
				+ `${settings.REQUIRE_STORE ? 'the service does not start (REQUIRE_STORE)' : 'a new journal begins with a random state'}. `
				+ 'Import one with “processual import state FILE”.',
		};
	}

	return okUnlessWarned(async warn => {
		if (encoder) {
			await initialState({encoder, signal, warn});
		}

		return `${store.place} has state ${latest.stateId} for a new journal to begin with`;
	});
};

export const checkReference = async (settings: Settings, sources: Sources): Promise<Result> => {
	requireReadableFiles(settings, ['MESSAGES_FILE', 'PROFILE_FILE']);
	return okUnlessWarned(async warn => {
		const {words, profile} = await sources.person({warn});
		const parts = [words !== null && 'messages', profile && 'the declared profile'].filter(part => part);
		return parts.length > 0
			? `made of ${parts.join(' and ')}`
			: 'there are no messages and no declared profile, so the reference is a copy of the initial state';
	});
};

export const checkAuthority = async (settings: Settings, sources: Sources, encoder: Encoder): Promise<Result> => {
	requireReadableFiles(settings, ['AUTHORITY_FILE']);
	const {articles, anchors = []} = await sources.authority({encoder, signal});
	return ok(`${articles.length} articles, ${anchors.length} anchors`);
};

/** Missing vectors are left to the service, because embedding them takes long and writes a file. */
export const checkDirections = async (settings: Settings, sources: Sources, {passport}: Encoder): Promise<Result> => {
	requireReadableFiles(settings, ['DIRECTIONS_FILE']);
	const missing = new Error('A vector is missing.');
	const embed = async (): Promise<never> => {
		throw missing;
	};

	try {
		return await okUnlessWarned(
			async warn => `${(await sources.directions({encoder: {passport, embed}, signal, warn})).length} directions`,
		);
	} catch (error) {
		if (error === missing) {
			return ok('the catalogue can be read; the next start computes its vectors');
		}

		throw error;
	}
};
