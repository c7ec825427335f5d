/** Questions whether an identity moved by more than chance, and because of whom. */
import {deepFreeze} from '../deep-freeze.ts';
import {describeDrift, describeSources} from '../instruments/describe-drift.ts';
import type {Drift, SourcesReport} from '../instruments/drift.ts';
import type {Moment} from '../past/find-moment.ts';
import type {Past} from '../past/past.ts';

/** What drift and sources are asked for. */
export type DriftRequest = {
	/** The moment that it is measured from. @default the newest validation; without one, the beginning */
	since?: Moment | undefined;
};

/** The part of the difference at which a source is noticed. */
const defaultBudget = 0.5;

export const askDrift = async (past: Past, {since}: DriftRequest, signal?: AbortSignal): Promise<Drift> => {
	const {answer} = await past.ask('drift', {}, {from: since}, signal);
	return deepFreeze(describeDrift(answer));
};

export const askSources = async (past: Past, {since}: DriftRequest, signal?: AbortSignal): Promise<SourcesReport> => {
	const {answer} = await past.ask('drift', {}, {from: since}, signal);
	return deepFreeze(describeSources(answer, {budget: defaultBudget, echoesOf: () => null}));
};
