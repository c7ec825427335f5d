/** Makes what a journal keeps of its past: digests of what has none yet, and the life since the validation. */
import {decodeDigest, digestLength, headOf} from '../digest.ts';
import {talkOf} from '../drift/ordinary.ts';
import {readNewest} from './digested.ts';
import type {Place} from './find-moment.ts';
import {anchorOf, basisOf, keptEvery, readKeptLife, type KeptLife} from './kept-life.ts';
import {InstrumentsHere} from './run-here.ts';
import {findStretch, runOver, type Reader} from './stretches.ts';

/** Of so many digests at once the records are in memory, without their texts. */
const digestedAtOnce = 20;

/** Where one digest is missing, as in a service that runs, it is made between cycles: a thread for it would take 25 MB. */
const here = new InstrumentsHere();

/** @throws what reading the journal throws, and keeping them */
export const makeDigests = async (reader: Reader): Promise<void> => {
	const {journal, kernel, threads, life, signal} = reader;
	const {digests, records} = journal;
	if (!digests || digests.isReadOnly) {
		return;
	}

	const placeBehind = (stored: Parameters<typeof decodeDigest>[0]): Place => {
		const {last, to: {stateId, timestamp, thirdness}} = decodeDigest(stored);
		return {seq: last, state: life.initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0};
	};

	const newest = await readNewest(journal);
	const whole = Math.floor(records / digestLength) * digestLength;
	let from: Place = newest ? placeBehind(newest) : {seq: 0, state: life.initial, cumulativeDrift: 0};
	while (from.seq < whole) {
		const to = Math.min(whole, from.seq + digestedAtOnce * digestLength);
		const place = to - from.seq <= digestLength ? here : threads;
		const made = await place.run(kernel, {name: 'digest', question: null, from, ...life}, {journal, to}, signal);
		for (const one of made) {
			// The last digest says that the life is kept up to it, so that an opening need not look.
			if (headOf(one).last >= whole) {
				await keepLife(reader, whole);
			}

			await digests.add(one);
		}

		if (made.length === 0) {
			break;
		}

		from = placeBehind(made.at(-1)!);
	}
};

/** Keeps the life since the validation up to a record, where it was not kept for long. */
const keepLife = async (reader: Reader, to: number): Promise<void> => {
	const {journal, life: {initial}} = reader;
	const validation = await journal.validation();
	const [entry] = validation ? await journal.read(to, 1) : [];
	if (!validation || entry?.seq !== to) {
		return;
	}

	const {revisions, ...found} = await findStretch(reader, {from: anchorOf(validation, initial)});
	const basis = basisOf(validation, revisions);
	const kept = await readKeptLife(journal, basis, to);
	if (to < Math.max(kept?.seq ?? 0, basis.validation, basis.revision) + keptEvery) {
		return;
	}

	const stretch = {from: kept ? {...found.from, seq: kept.seq} : found.from, to: {...found.to, seq: to}, revisions};
	const {answer: followed} = await runOver(reader, stretch, 'follow', {ordinary: talkOf(validation), goesOn: kept && kept.followed});
	if (followed) {
		await journal.digests!.keep({...basis, seq: to, id: entry.record.id, followed} satisfies KeptLife);
	}
};
