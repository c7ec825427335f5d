/**
 * Forgets texts for good and makes a receipt, or says in a dry run which texts would go. Whatever this program keeps of
 * the texts outside the journal goes with them.
 */
import type {ForgetReceipt} from '../generated/types.ts';
import {timestampOf} from '../platform/clock.ts';
import {InputError, JournalError, StoreError} from '../platform/errors.ts';
import {deepFreeze} from '../platform/immutable.ts';
import {makeTraces, TraceSearch} from '../platform/traces.ts';
import {
	describeForgetting, findWaiting, leftOf, namesBeside, requireTexts, sha256, toRanges,
} from '../instruments/describe-forgetting.ts';
import {factsOfRevision, type Decision, type ForgetDecision, type FoundToForget} from '../instruments/describe-revision.ts';
import {toChoice} from '../instruments/text-choice.ts';
import type {StoredCycle, StoredHeld} from '../journal/journal.ts';
import {usedWidth} from '../journal/float-codec.ts';
import {readPages} from '../journal/read-pages.ts';
import {isRevision, type TextChoice} from '../journal/revision.ts';
import type {Past} from '../instruments/past/past.ts';
import {oneLine} from '../actors/process-context.ts';
import type {ForgotThere, TextsToForget} from '../sources/forget-texts.ts';
import {checkNote} from './cycle-request.ts';
import type {LocalIdentity} from './identity.ts';
import type {IdentityParts} from './local-identity.ts';
import type {ForgetView} from './views.ts';

/** Most passages in a receipt: of contents, and again of vectors. */
const maxTraces = 2000;

type UnsignedReceipt = Omit<ForgetReceipt, 'unreached' | 'checksum'>;

/**
 * Forgets texts outside the journal. It may store the receipt, of which there is no other copy until the new journal is
 * in place.
 *
 * @returns also `removeKept`, which removes a stored receipt: once the caller has it, or if the journal is unchanged
 */
export type ForgetElsewhere = (texts: TextsToForget, receipt: ForgetReceipt) => Promise<ForgotThere & {removeKept?: () => Promise<void>}>;

/** @param inOrder Runs a change of the state after all earlier requests. */
export const createForget = (
	parts: IdentityParts, inOrder: (work: () => Promise<ForgetView>) => Promise<ForgetView>,
): LocalIdentity['forget'] => async ({dryRun = false, note, by, ...names}, {signal} = {}) => {
	const {machine: {newId, time}, admission, past, requests, forgetElsewhere} = parts;
	return admission.enter(async () => {
		const begun = time.elapsed();
		const decision = {note: checkNote(note, 'a forgetting'), by: by || null, without: null, at: null};
		const choice = toChoice(names);
		if (Object.keys(choice).length === 0) {
			throw new InputError('Say which texts are to be forgotten: sources, conversations or ids.');
		}

		if (dryRun) {
			return dryForgetting(decision, choice, parts, signal);
		}

		signal?.throwIfAborted();
		const forgetting = new Forgetting(choice, past, forgetElsewhere);
		const asked = inOrder(async () =>
			requests.ask<ForgetView>({type: 'revise', id: newId(), decision: {...decision, forget: forgetting.decision}}));
		const answer = await asked.catch(async (error: unknown) => {
			// Otherwise the texts may be gone all the same: only the journal's answer was lost.
			await (isUndone(error) ? forgetting.elsewhere.removeKept?.() : dropKept(parts));
			throw error;
		});
		await dropKept(parts);
		const receipt = await forgetting.finish();
		return deepFreeze({...answer, elsewhere: forgetting.elsewhere.removed, receipt, tookSeconds: (time.elapsed() - begun) / 1000});
	}, signal);
};

/** Whether the journal is certainly unchanged. */
const isUndone = (error: unknown): boolean =>
	error instanceof InputError || error instanceof StoreError || (error instanceof JournalError && error.code === 'journal');

/** Caches and questions under way still hold the texts, and records that have changed. */
const dropKept = async ({machine: {encoder, journal}, past, recentTexts, drifts}: IdentityParts): Promise<void> => {
	recentTexts?.forget();
	drifts.forget();
	past.restart();
	await journal?.digests?.clear();
	encoder.forget?.();
};

/** Says which texts would go, and changes nothing. */
const dryForgetting = async (
	decision: Decision, choice: TextChoice, {machine: {kernel, time}, past, getContext, onProgress}: IdentityParts, signal?: AbortSignal,
): Promise<ForgetView> => {
	const begun = time.elapsed();
	const [decisions, validation] = [await past.decisions(signal), await past.validation(signal)];
	const revisions = decisions.filter(isRevision);
	const beside = await namesBeside(choice, validation, revisions, past.held());
	const question = {id: '', choice, beside, revisions, validated: validation?.seq ?? 0};
	const {answer: result, to: {state: before}} = await past.ask('forgetting', question, {asRecorded: true, onProgress}, {signal});
	const {compacted: waiting} = await findWaiting(choice, result, past.held());
	const left = validation && leftOf(validation, choice);
	requireTexts(result);
	const after = before.withThirdness(before.stateId + 1, timestampOf(time), result.thirdness);
	const made = {id: '', to: past.records, exclusions: [], holds: revisions.at(-1)?.holds ?? null, earlier: undefined};
	const facts = factsOfRevision(decision, result, {before, after}, made);
	const turned = {before, after, directions: getContext().boot.directions, kernel};
	const rest = {choice, waiting, tookSeconds: (time.elapsed() - begun) / 1000};
	return deepFreeze({...describeForgetting(facts, result, left, turned, rest), id: null});
};

/** One forgetting under way: collects the texts until its receipt is made. */
class Forgetting {
	readonly decision: ForgetDecision;
	/** What was forgotten outside the journal. */
	elsewhere: Awaited<ReturnType<ForgetElsewhere>> = {removed: [], unreached: []};
	/** Contents as they are stored: a text, or its hash. */
	readonly #contents = new Set<string>();
	readonly #plain = new Set<string>();
	readonly #vectors: Float32Array[] = [];
	readonly #past: Past;
	#receipt: UnsignedReceipt | null = null;
	/** Where the journal may have left bytes, in sentences. */
	#left: readonly string[] = [];

	constructor(choice: TextChoice, past: Past, elsewhere: ForgetElsewhere | undefined) {
		this.#past = past;
		const decision: ForgetDecision = {
			choice,
			hear: text => this.#hear(text),
			prepare: async found => {
				const texts = {contents: this.#plain, vectors: this.#vectors, conversations: choice.conversations ?? []};
				// Made while the texts are still there, so that a receipt survives a kill after they are gone.
				this.#receipt = await this.#makeReceipt(found);
				const draft = await withChecksum({...this.#receipt, unreached: [unfinishedNote]});
				const there = await elsewhere?.(texts, draft);
				// An application's function may leave a list out: then the texts are gone, and the receipt must not fail.
				this.elsewhere = {...there, removed: there?.removed ?? [], unreached: there?.unreached ?? []};
			},
			onDone: unreached => {
				this.#left = unreached;
			},
		};
		this.decision = oneLine(decision, 'texts to forget');
	}

	#hear({content, isHashed, vector}: StoredCycle | StoredHeld): void {
		this.#contents.add(content);
		this.#vectors.push(vector);
		if (!isHashed) {
			this.#plain.add(content);
		}
	}

	/** The receipt of a forgetting that is done. */
	async finish(): Promise<ForgetReceipt> {
		const receipt = await withChecksum({...this.#receipt!, unreached: [...this.#left, ...this.elsewhere.unreached]});
		await this.elsewhere.removeKept?.();
		return receipt;
	}

	/** Leaves out the traces of passages that also occur in texts that stay. */
	async #makeReceipt({id, timestamp, texts, tombstones, digest, records}: FoundToForget): Promise<UnsignedReceipt> {
		const searches = [
			new TraceSearch(await makeTraces([...this.#contents].map(encode), maxTraces)),
			new TraceSearch(await makeTraces(this.#vectors.map(bytesOf), maxTraces)),
		] as const;
		const gone = new Set(records);
		for await (const page of readPages(this.#past, 0, this.#past.records)) {
			for (const {seq, record} of page) {
				if ('vector' in record && !gone.has(seq)) {
					await searches[0].drop(encode(record.content));
					await searches[1].drop(bytesOf(record.vector));
				}
			}
		}

		const [contents, vectors] = [searches[0].traces, searches[1].traces];
		return {id, timestamp, texts, tombstones: toRanges(tombstones.map(({seq}) => seq)), digest, contents, vectors};
	}
}

/** Replaces the list of unreached places in a receipt that a kill has left behind. */
const unfinishedNote = 'This receipt was written before the texts were gone. “processual revisions” lists the forgetting with its time '
	+ 'if it was done. Backups, copies and exports have the texts until they are deleted.';

const withChecksum = async (receipt: Omit<ForgetReceipt, 'checksum'>): Promise<ForgetReceipt> =>
	({...receipt, checksum: await checksumOfReceipt(receipt)});

/** SHA-256 of a receipt without its checksum, in hexadecimal. */
export const checksumOfReceipt = async ({
	id, timestamp, texts, tombstones, digest, contents, vectors, unreached,
}: Omit<ForgetReceipt, 'checksum'>): Promise<string> => sha256(JSON.stringify([
	id, timestamp, texts, tombstones, digest, contents.salt, contents.passages, vectors.salt, vectors.passages, unreached,
]));

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A vector's bytes as they are stored: without trailing zeros. */
const bytesOf = (vector: Float32Array): Uint8Array => new Uint8Array(vector.buffer, vector.byteOffset, 4 * usedWidth(vector));
