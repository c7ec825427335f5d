/** The beginning of a text that is longer than so many characters, with an ellipsis; a shorter one as it is. */
export const cutText = (text: string, maxLength: number): string =>
	text.length > maxLength ? `${text.slice(0, maxLength).toWellFormed()}…` : text;
