/** Texts of 16 tokens on average, and one of 126 tokens. */
const beginnings = ['This morning', 'After the long meeting', 'Before the rain began', 'On the way home', 'In the old library'];
const middles = ['I counted the boats in the harbour', 'she wrote a letter to her brother', 'we talked about the price of bread', 'he repaired the broken chair'];
const ends = ['and felt calm.', 'without a word.', 'because nobody else would.', 'as we do each year.', 'and forgot the time.', 'until it was dark.', 'for the last time.'];

export const shortTexts: readonly string[] = beginnings.flatMap(beginning => middles.flatMap(middle => ends.map(end => `${beginning} ${middle} ${end}`)));

export const longText: string = `${shortTexts.slice(0, 7).join(' ')} This`;
