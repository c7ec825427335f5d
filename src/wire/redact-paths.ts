/** Error messages for clients: without stacks and absolute paths, which reveal where the software is installed. */
import {reasonOf} from '../platform/errors.ts';

/** Only blanks of one line: if they included line breaks, a run of line breaks would take quadratic time. */
const stack = /\n[^\S\n]+at [^]*/;
const quotedPath = /(["'`])(?:file:\/\/|[a-z]:[\\/]|[\\/])[^"'`\n]*\1/gi;
const fileUrl = /file:\/\/\S+/gi;
const windowsPath = /(?<![\w])(?:[a-z]:[\\/]|\\\\)[^\s"'`]+/gi;
/** A slash that begins a word; the slashes of `and/or`, of a relative path and of a URL do not. */
const path = /(?<![\w:/.~-])\/[\w.@~-][^\s"'`:,;)]*/g;

/** The text without stacks and absolute paths. */
export const redactPaths = (message: string): string => message
	.replace(stack, '')
	.replaceAll(quotedPath, '…')
	.replaceAll(fileUrl, '…')
	.replaceAll(windowsPath, '…')
	.replaceAll(path, '…');

/** The message of whatever was thrown, for clients. */
export const redactedMessage = (thrown: unknown): string => redactPaths(reasonOf(thrown));
