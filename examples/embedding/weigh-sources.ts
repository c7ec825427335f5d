/**
 * Two users with different weights. Every text moves the state by the same step, so a weight decides how many of a user's
 * texts are cycled: a user whose share of the present is above their weight is answered, but moves nothing. The shares are
 * the ledger's, so they survive a restart and account for fading. A what-if confirms it: without the user of twice the
 * weight, the identity would be twice as far from here.
 */
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {openIdentity, type Identity} from 'processual-state';
import {createSqliteJournal} from 'processual-state/journal';
import {makeRandom, talk} from './harbour-talk.ts';

/** How many decisions are made by counting before the ledger is read again. */
const maxCounted = 50;

/** @returns whether a user may move the identity now; one without a weight never may */
export const weighSources = (identity: Pick<Identity, 'ledger'>, weights: Readonly<Record<string, number>>) => {
	const names = Object.keys(weights);
	const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
	/** The present weight of each user's texts, as a number of new texts. */
	let left = new Map<string, number>();
	let counted = maxCounted;

	const leftOf = (name: string): number => left.get(name) ?? 0;

	const readLedger = async (): Promise<void> => {
		const {entries, cycles} = await identity.ledger({by: 'source'});
		const texts = entries.filter(({kind}) => kind === 'texts');
		const sum = texts.reduce((shares, {share}) => shares + share, 0);
		left = new Map(texts.map(({key, share}) => [key, share / sum * cycles]));
		counted = 0;
	};

	return async (source: string): Promise<boolean> => {
		if (counted++ >= maxCounted) {
			await readLedger();
		}

		const all = names.reduce((sum, name) => sum + leftOf(name), 0);
		const isBelow = Object.hasOwn(weights, source) && leftOf(source) * total <= weights[source]! * all;
		left.set(source, leftOf(source) + Number(isBelow));
		return isBelow;
	};
};

const folder = await mkdtemp(path.join(tmpdir(), 'weights-'));
const identity = await openIdentity({journal: createSqliteJournal({folder})});
const mayMove = weighSources(identity, {owner: 2, guest: 1});

const texts = {owner: {heard: 0, cycled: 0}, guest: {heard: 0, cycled: 0}};
const random = makeRandom(1);

// The guest talks three times as much as the owner.
for (let i = 0; i < 400; i++) {
	const source = i % 4 === 0 ? 'owner' : 'guest';
	texts[source].heard++;
	if (await mayMove(source)) {
		await identity.cycle({content: talk(random, source === 'owner' ? 'boats' : 'garden'), metadata: {source}});
		texts[source].cycled++;
	}
}

for (const [source, {heard, cycled}] of Object.entries(texts)) {
	const {angleMrad} = await identity.whatIf({without: {sources: [source]}});
	console.log(`${source}: ${cycled} of ${heard} texts moved it; without them it would be ${Math.round(angleMrad)} mrad from here.`);
}

await identity.dispose();
await rm(folder, {recursive: true});
