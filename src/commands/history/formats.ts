/** The formats of histories. A format is one file and one row: the first that knows a file reads it. */
import {chatGpt} from './formats/chatgpt.ts';
import {claudeCode} from './formats/claude-code.ts';
import {csv, jsonLines} from './formats/entries.ts';
import {hermesDatabase, hermesExport} from './formats/hermes.ts';
import {chatLogs} from './formats/irc.ts';
import {lettaFolder} from './formats/letta-folder.ts';
import {mbox} from './formats/mbox.ts';
import {lettaFile, lettaMessages, mem0} from './formats/memories.ts';
import {messageLists} from './formats/messages.ts';
import {openClaw} from './formats/openclaw.ts';
import type {Format} from './past-text.ts';

/** Those that are known by more stand before those that are known by less. */
export const formats: readonly Format[] = [
	lettaFolder,
	hermesDatabase,
	claudeCode,
	openClaw,
	hermesExport,
	chatGpt,
	lettaFile,
	lettaMessages,
	mem0,
	messageLists,
	mbox,
	csv,
	chatLogs,
	jsonLines,
];
