/** A journal in front of another: what it does not do itself, it passes on. */
import type {Journal} from './journal.ts';

/** What every journal has. */
export const journalMethods = ['open', 'begin', 'append', 'read', 'find', 'validation', 'close'] as const satisfies Array<keyof Journal>;

/** Passes every call on to the journal that there is at the call. A wrapper spreads it, and puts its own methods over it. */
export const forwardedJournal = (getJournal: () => Journal): Journal =>
	Object.fromEntries(journalMethods.map(method =>
		[method, async (...parameters: unknown[]) => call(getJournal(), method, parameters)])) as unknown as Journal;

const call = (journal: Journal, method: keyof Journal, parameters: unknown[]): unknown =>
	Reflect.apply(journal[method], journal, parameters);
