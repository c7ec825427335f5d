/**
 * Unknown names of options, fields and settings. The error gives the nearest known name, and all others.
 *
 * The distance is computed here, because the client must not need a package.
 */
import {cutText} from './plain-line.ts';
import {ConfigurationError} from './errors.ts';

/** Only the beginning of a longer name is compared and shown: it may be a stranger's invention. */
const maxShown = 60;

/** How many letters are inserted, left out, replaced, or swapped with the next one. */
const countSlips = (a: string, b: string): number => {
	let before: number[] = [];
	let last = Array.from({length: b.length + 1}, (_, j) => j);
	for (let i = 1; i <= a.length; i++) {
		const row = [i];
		for (let j = 1; j <= b.length; j++) {
			const replaced = last[j - 1]! + Number(a[i - 1] !== b[j - 1]);
			const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : Infinity;
			row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, replaced, exchanged));
		}

		[before, last] = [last, row];
	}

	return last.at(-1)!;
};

/**
 * The known name that a name most likely means, whatever its case; null if none is near.
 *
 * @param lettersPerSlip How long a name must be for each slip in it; every name may have one.
 */
export const nearestName = (name: string, known: readonly string[], lettersPerSlip = 3): string | null => {
	const given = name.slice(0, maxShown).toLowerCase();
	const [nearest] = known
		.map(each => ({each, slips: countSlips(given, each.toLowerCase())}))
		.filter(({slips}) => slips <= Math.max(1, Math.floor(given.length / lettersPerSlip)))
		.toSorted((a, b) => a.slips - b.slips);
	return nearest?.each ?? null;
};

/** The words after an unknown name: the nearest one, if there is one. */
export const hintAt = (name: string, known: readonly string[]): string => {
	const nearest = nearestName(name, known);
	return nearest === null ? '' : `; the nearest is “${nearest}”`;
};

/** Every name of an object type; for a union, of each member. */
type NamesOf<Given> = Given extends unknown ? keyof Given : never;

/** A table with every name of an object type; the compiler finds missing ones. */
export type Names<Given, Value = unknown> = Readonly<Record<NamesOf<Given> & string, Value>>;

/**
 * JavaScript callers may pass anything.
 *
 * @param owner Whose names they are, as the message begins: `An identity`.
 * @throws {ConfigurationError} or a `Failure`, with the first name that is not known
 */
export const requireKnownNames = <Given extends object>(
	owner: string, given: Given | undefined, names: Names<Given>,
	{kind = 'option', Failure = ConfigurationError as new (message: string) => Error} = {},
): void => {
	if (given !== undefined && (typeof given !== 'object' || given === null)) {
		throw new Failure(`The ${kind}s of ${owner.toLowerCase()} must be an object; `
			+ `these are ${cutText(JSON.stringify(given) ?? typeof given, maxShown)}.`);
	}

	const known = Object.keys(names);
	const unknown = Object.keys(given ?? {}).find(name => !Object.hasOwn(names, name));
	if (unknown !== undefined) {
		throw new Failure(`${owner} has no ${kind} “${cutText(unknown, maxShown)}”${hintAt(unknown, known)}. `
			+ `Its ${kind}s are ${known.join(', ')}.`);
	}
};
