/** Makes what a journal keeps beside its records: missing digests, and the monitor since the validation. */
import {decodeDigest, digestLength, headOf} from '../digest.ts';
import {talkOf} from '../drift/ordinary.ts';
import {readNewest} from './digested.ts';
import type {Place} from './find-moment.ts';
import {anchorOf, basisOf, keptEvery, readKeptMonitor, type KeptMonitor} from './kept-monitor.ts';
import {InstrumentsHere} from './run-here.ts';
import {findStretch, runOver, type Reader} from './stretches.ts';

/** The number of digests made at once. Their records are in memory together, without texts. */
const digestedAtOnce = 20;

/** Makes a single missing digest, as in a running service, between cycles: a thread for it would take 25 MB. */
const here = new InstrumentsHere();

/** @throws the errors of reading the journal, and of storing digests */
export const makeDigests = async (reader: Reader): Promise<void> => {
	const {journal, kernel, threads, origins, signal} = reader;
	const {digests, records} = journal;
	if (!digests || digests.isReadOnly) {
		return;
	}

	const placeBehind = (stored: Parameters<typeof decodeDigest>[0]): Place => {
		const {last, to: {stateId, timestamp, thirdness}} = decodeDigest(stored);
		return {seq: last, state: origins.initial.withThirdness(stateId, timestamp, thirdness), cumulativeDrift: 0};
	};

	const newest = await readNewest(journal);
	const whole = Math.floor(records / digestLength) * digestLength;
	let from: Place = newest ? placeBehind(newest) : {seq: 0, state: origins.initial, cumulativeDrift: 0};
	while (from.seq < whole) {
		const to = Math.min(whole, from.seq + digestedAtOnce * digestLength);
		const place = to - from.seq <= digestLength ? here : threads;
		const made = await place.run(kernel, {name: 'digest', question: null, from, ...origins}, {journal, to}, signal);
		for (const one of made) {
			// Keep the monitor before the last digest: that digest then shows that both are up to date, and an opening need not check.
			if (headOf(one).last >= whole) {
				await keepMonitor(reader, whole);
			}

			await digests.add(one);
		}

		if (made.length === 0) {
			break;
		}

		from = placeBehind(made.at(-1)!);
	}
};

/** Stores the monitor at a record, if {@link keptEvery} records came since it was stored, and since its validation and revision. */
const keepMonitor = async (reader: Reader, to: number): Promise<void> => {
	const {journal, origins: {initial}} = reader;
	const validation = await journal.validation();
	const [entry] = validation ? await journal.read(to, 1) : [];
	if (!validation || entry?.seq !== to) {
		return;
	}

	const {revisions, ...found} = await findStretch(reader, {from: anchorOf(validation, initial)});
	const basis = basisOf(validation, revisions);
	const kept = await readKeptMonitor(journal, basis, to);
	if (to < Math.max(kept?.seq ?? 0, basis.validation, basis.revision) + keptEvery) {
		return;
	}

	const stretch = {from: kept ? {...found.from, seq: kept.seq} : found.from, to: {...found.to, seq: to}, revisions};
	const {answer: followed} = await runOver(reader, stretch, 'follow', {ordinary: talkOf(validation), resumed: kept && kept.followed});
	if (followed) {
		await journal.digests!.keep({...basis, seq: to, id: entry.record.id, followed} satisfies KeptMonitor);
	}
};
