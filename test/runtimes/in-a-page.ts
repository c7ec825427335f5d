/** What a page runs from a bundle: the journey, and features that fail in a page. */
import {createIdentity, dimensions, StateTensor} from 'processual-state';
import {createSqliteJournal, JournalReader} from 'processual-state/journal';
import {createInspection} from 'processual-state/inspection';
import {selectKernel} from 'processual-state/kernel';
import {callTool} from 'processual-state/tools';
import {digestOf, encoder, journey} from './journey.ts';

const page = {
	callTool,
	createIdentity,
	createSqliteJournal,
	createInspection,
	dimensions,
	digestOf,
	encoder,
	journey,
	JournalReader,
	selectKernel,
	StateTensor,
};

export type Page = typeof page;

Object.assign(globalThis, {page});
