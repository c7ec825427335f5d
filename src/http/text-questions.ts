/** The questions about which texts count: those left out, those held, and the decisions about them. */
import {ForgetRequest, ForgetResponse} from '../instruments/answers/forget.ts';
import {HeldRequest, HeldTexts, Settled, SettleRequest} from '../instruments/answers/held.ts';
import {HoldRequest, RevisionRequest, RevisionResponse, Revisions} from '../instruments/answers/revision.ts';
import {decidesTexts, question} from './question.ts';

/** The rows, in the order of the interface. */
export const textQuestions = [
	question({
		name: 'revise',
		summary: 'Leave texts out from now on, or go back to a moment',
		description: 'The state becomes, bit for bit, what it would be if some texts had never been heard: those of a source, of a '
			+ 'conversation, or all after a moment. The journal keeps them, so that a later revision takes them back. '
			+ 'With hold, further texts of these sources and conversations wait until they are released. Cycles wait until '
			+ 'it is done. Instruments read the past by the revision in force; a past state stays as it was.',
		ask: RevisionRequest,
		answer: RevisionResponse,
		...decidesTexts,
	}),
	question({
		name: 'forget',
		summary: 'Forget texts, for good',
		description: 'Text, metadata and vector of a source, of a conversation or of single cycles are removed from everything that the '
			+ 'service keeps, and every later state is computed again as if they had never been heard. It cannot be undone. The receipt says '
			+ 'what it cannot reach, such as backups, and proves what is gone: keep it, the service does not.',
		ask: ForgetRequest,
		answer: ForgetResponse,
		...decidesTexts,
	}),
	question({
		name: 'revisions',
		group: 'Past',
		summary: 'Who left which texts out, when and why',
		description: 'All revisions, releases and drops, oldest first. The last revision is in force.',
		answer: Revisions,
		failures: [409, 422, 503],
		isCancellable: true,
	}),
	question({
		name: 'hold',
		summary: 'Hold further texts back, from now on',
		description: 'Further texts of these sources and conversations are recorded, and not applied until they are released. What was said '
			+ 'stays as it is: to leave it out too, revise with hold. Once it is taken back, further texts pass again, and the texts that '
			+ 'wait keep waiting.',
		ask: HoldRequest,
		answer: RevisionResponse,
		...decidesTexts,
	}),
	question({
		name: 'held',
		group: 'Past',
		summary: 'Who is on hold, and which texts wait',
		description: 'Whose further texts are recorded and not applied, since when and why; and the oldest texts that wait. They weigh '
			+ 'nothing until they are released.',
		ask: HeldRequest,
		answer: HeldTexts,
		failures: [409, 422, 503],
		isCancellable: true,
	}),
	question({
		name: 'releaseHeld',
		path: '/held/release',
		summary: 'Apply held texts',
		description: 'Each moves the state now, in the order in which they were held, under its own id; the time when it was said is kept '
			+ 'with it. '
			+ 'All of them, or none. A dry run says what they would do.',
		ask: SettleRequest,
		answer: Settled,
		...decidesTexts,
	}),
	question({
		name: 'dropHeld',
		path: '/held/drop',
		summary: 'Drop held texts',
		description: 'They will never move the state, and the journal keeps their records. All of them, or none.',
		ask: SettleRequest,
		answer: Settled,
		...decidesTexts,
	}),
] as const;
