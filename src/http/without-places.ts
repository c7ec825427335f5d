/** What clients are told does not tell where the software lies. */
const stack = /\n\s+at [^]*/;
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
