/** Ids that sort by their time: in a journal's index of ids, which grows at its end then, an append touches one page. */

/** A UUID of version 7. @param now Milliseconds since 1970. */
export const timeOrderedId = (now: number): string => {
	const milliseconds = Math.max(0, Math.trunc(now)).toString(16).padStart(12, '0');
	return `${milliseconds.slice(0, 8)}-${milliseconds.slice(8)}-7${crypto.randomUUID().slice(15)}`;
};
