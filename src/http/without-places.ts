/** What clients are told does not tell where the software lies. */

/** The blanks are those of one line: with line breaks among them, each of many would search all that follow. */
const stack = /\n[^\S\n]+at [^]*/;
const quotedPath = /(["'`])(?:file:\/\/|[a-z]:[\\/]|[\\/])[^"'`\n]*\1/gi;
const fileUrl = /file:\/\/\S+/gi;
const windowsPath = /(?<![\w])(?:[a-z]:[\\/]|\\\\)[^\s"'`]+/gi;
/** A slash that begins a word; the slashes of `and/or`, of a relative path and of a URL do not. */
const path = /(?<![\w:/.~-])\/[\w.@~-][^\s"'`:,;)]*/g;

/** The message without stacks and absolute paths. */
export const withoutPlaces = (message: string): string => message
	.replace(stack, '')
	.replaceAll(quotedPath, '…')
	.replaceAll(fileUrl, '…')
	.replaceAll(windowsPath, '…')
	.replaceAll(path, '…');
