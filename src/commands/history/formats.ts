/** The formats of histories. To add one, add its file and a row here. The first that recognises a file reads it. */
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

/** The more specific a format's signs, the earlier its row. */
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
