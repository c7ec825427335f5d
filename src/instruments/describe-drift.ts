/** Drift and sources as they are answered: the numbers, a sentence, and what a reader must know beside them. */
import {hashNote, joinNotes} from './describe-ledger.ts';
import type {Drift, SourceReport, SourcesReport} from './drift.ts';
import type {DriftResult} from './run-drift.ts';

const noValidationNote = 'No validation yet, so what is ordinary is not known. Validate the identity when it is as it should be: POST /validate needs 400 texts in 40 visits.';

/** The drift of a stretch. */
export const describeDrift = (result: DriftResult): Drift => ({
	stateId: result.to.stateId,
	since: result.from,
	validation: null,
	cycles: result.cycles,
	netMrad: result.netMrad,
	expectedMrad: null,
	excessMrad: null,
	typicalMrad: null,
	p: null,
	standOut: [],
	sources: result.sources.map(({source, texts, textShare, weightShare, unusualShare}) => ({source, texts, textShare, weightShare, unusualShare})),
	pWithoutTopSource: null,
	path: result.path,
	chart: null,
	sentence: describeMove(result),
	note: noteOf(result),
});

/** The sources of a stretch. */
export const describeSources = (result: DriftResult, {budget, echoesOf}: {budget: number; echoesOf: (source: string) => number | null}): SourcesReport => ({
	stateId: result.to.stateId,
	since: result.from,
	sources: result.sources.map((source): SourceReport => ({...source, echoes: echoesOf(source.source)})),
	budget,
	note: noteOf(result),
});

const noteOf = ({begins, from, isHashed}: DriftResult): string | null => joinNotes(
	begins === 'reset' && `The identity was reset at ${from.timestamp}: it is measured from there.`,
	begins === 'compaction' && `Records up to state ${from.stateId} are compacted: it is measured from there.`,
	noValidationNote,
	isHashed && hashNote,
);

const describeMove = ({from, cycles, netMrad}: DriftResult): string =>
	cycles === 0 ? `Nothing was said since ${nameDay(from.timestamp)}.` : `Since ${nameDay(from.timestamp)} it moved ${netMrad.toFixed(0)} mrad in ${cycles} ${cycles === 1 ? 'text' : 'texts'}.`;

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** The day of a time, as a sentence says it; UTC. */
const nameDay = (timestamp: string): string => {
	const day = new Date(timestamp);
	return `${day.getUTCDate()} ${months[day.getUTCMonth()]} ${day.getUTCFullYear()}`;
};
