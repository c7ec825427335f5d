/** Sealed digests, since digests have sums of texts and names of sources. One that can no longer be opened counts as missing. */
import v8 from 'node:v8';
import type {DigestStore, StoredDigest} from './digest-store.ts';
import type {KeyRing} from './key-ring.ts';
import {joinText, splitText} from './sealing.ts';

/** @param seal Seals with the key of the states; null if digests are not sealed. */
export const sealedDigests = (
	digests: DigestStore, getRing: () => KeyRing, seal: ((bytes: Uint8Array) => Promise<Uint8Array>) | null,
): DigestStore => ({
	async read(wants = () => true) {
		const opened: StoredDigest[] = [];
		for (const digest of await digests.read(head => head === null || wants(head))) {
			const whole = attempt(() => openDigest(getRing(), digest));
			if (!whole) {
				break;
			}

			opened.push(whole);
		}

		return opened;
	},
	async newest() {
		const digest = await digests.newest();
		return digest && attempt(() => openDigest(getRing(), digest));
	},
	add: async ({head, body}) => digests.add(seal ? {head: null, body: await seal(joinText(JSON.stringify(head), body))} : {head, body}),
	keep: async value => digests.keep(seal ? {sealed: await seal(v8.serialize(value))} : value),
	async kept() {
		const value = await digests.kept();
		const {sealed} = (value ?? {}) as {sealed?: unknown};
		return sealed instanceof Uint8Array
			? attempt(() => v8.deserialize(getRing().open(sealed, 'What is kept')) as unknown)
			: value;
	},
	vectors: async (...asked) => seal ? null : digests.vectors?.(...asked) ?? null,
	clear: async () => digests.clear(),
});

const ignore = async (): Promise<void> => {};

/** Digests of a journal that is only read, sealed or not. */
export const readOnlyDigests = (digests: DigestStore, getRing: () => KeyRing): DigestStore => ({
	...sealedDigests(digests, getRing, null), isReadOnly: true, add: ignore, keep: ignore, clear: ignore,
});

/** A sealed digest has no head. */
const openDigest = (ring: KeyRing, {head, body}: StoredDigest): StoredDigest => {
	if (head !== null) {
		return {head, body};
	}

	const [json, floats] = splitText(ring.open(body, 'A digest'));
	return {head: JSON.parse(json) as unknown, body: floats};
};

const attempt = <Result>(open: () => Result): Result | null => {
	try {
		return open();
	} catch {
		return null;
	}
};
