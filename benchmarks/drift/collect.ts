/** Collects the sentences of files, each once, however often it is said. */
export const collectSentences = () => {
	const places = new Map<string, number>();
	return {
		/** The place of a sentence. */
		place(sentence: string): number {
			const place = places.get(sentence) ?? places.size;
			places.set(sentence, place);
			return place;
		},
		sentences: (): string[] => [...places.keys()],
	};
};
