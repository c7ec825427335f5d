/**
 * Watches a running life: takes its texts one by one, from where an earlier watch or the journal left
 * off, and gives what is to be noticed. An alarm is given once, until the reading has been within its
 * limit again.
 */
import type {ChartReading} from '../generated/types.ts';
import type {BaselineText} from '../journal/validation.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {maxWatched, nearestLimit, noteMoment, type ChartMoment} from './drift/chart.ts';
import {Life, type Happening} from './drift/life.ts';
import type {Look} from './drift/paths.ts';
import {followStrangers, knownAfter, type Strangeness} from './drift/strangers.ts';
import {isOf, maxSources, voices, type Voice} from './source-of.ts';
import type {FleetWatch} from './fleet.ts';
import {tailOf} from './name-identities.ts';
import {createEchoGuard, type OwnOutput} from './echo-guard.ts';
import type {WatchStart} from './run-watch.ts';
import type {WatchNotice} from './watch-notices.ts';

/** A text that moved the state. */
export type WatchedText = BaselineText & {
	/** Whether the daemon said it to itself: such a text is no echo. */
	readonly isDaemons: boolean;
};

/** What a text brought. */
export type Watched = {
	readonly notices: readonly WatchNotice[];
	/** Whether what was heard was looked at and is unusual. */
	readonly isUnusual: boolean;
};

/** How many ids of a conversation, or names of those who are to blame, a notice has. */
const maxListed = maxSources;

/** The reading that is nearest to its limit, beside that: over 1 it is an alarm. */
const ratioOf = (readings: readonly ChartReading[]): number => Math.max(0, ...readings.map(({reading, limit}) => reading / limit));

export class Watcher {
	readonly #echoGuard: ReturnType<typeof createEchoGuard>;
	/** Null for a baseline that says too little. */
	readonly #life: Life | null;
	readonly #trail: ChartMoment[];
	/** Null where no rule asks for it, and for a baseline that says too little. */
	readonly #strangers: ReturnType<typeof followStrangers> | null;
	readonly #known: ReadonlySet<string>;
	/** How many echoes each source has brought. */
	readonly echoes = new Map<string, number>();

	/**
	 * @param baseline Its texts.
	 * @param makeKernel Makes a kernel that no other search uses.
	 */
	constructor({life, own, trail, novelty}: WatchStart, baseline: readonly BaselineText[], makeKernel: () => Kernel) {
		const heard = baseline.filter(text => isOf('heard', text));
		const ordinary = heard.map(({vector}) => vector);
		this.#life = life && new Life(life.ordinary, life.state);
		this.#trail = [...trail];
		this.#echoGuard = createEchoGuard(ordinary, makeKernel);
		this.#strangers = novelty && followStrangers(novelty, ordinary, makeKernel());
		this.#known = new Set(heard.map(({source}) => source));
		for (const output of own) {
			this.addOwn(output);
		}
	}

	/** The chart of a voice after the conversations that have ended; none for a baseline that says too little. */
	readings(voice: Voice): readonly ChartReading[] {
		return this.#life?.voice(voice)?.chart.readings ?? [];
	}

	/** How what was heard stands beside ordinary talk, as a fleet shows it. */
	describe(): Omit<FleetWatch, 'topSource' | 'noticed'> {
		const heard = this.#life?.voice('heard');
		const looks = heard?.state.looks ?? [];
		const distance = looks.length === 0 ? null : Math.max(...looks.map(look => look.distance));
		return {
			conversations: heard?.chart.conversations ?? 0,
			alarm: voices.some(voice => this.isAlarm(voice)),
			p: looks.at(-1)?.p ?? null,
			tailP: distance === null ? null : tailOf(heard!.ordinary.chance.largest, distance),
			distance,
			unreadShare: heard ? heard.chart.unreadShare(nearestLimit(heard.chart.readings)) : null,
			readings: this.#trail.slice(-maxWatched).map(({readings}) => Number(ratioOf(readings).toPrecision(3))),
			endsAt: this.endsAt,
		};
	}

	/** Whether a reading of a voice is above its limit. */
	isAlarm(voice: Voice): boolean {
		return this.#life?.voice(voice)?.chart.isAlarm ?? false;
	}

	/** The last look at a voice; null before the first. */
	look(voice: Voice): Look | null {
		return this.#life?.voice(voice)?.state.looks.at(-1) ?? null;
	}

	/** When the next conversation will be over unless more is said in it; null without one. */
	get endsAt(): number | null {
		return this.#life?.endsAt ?? null;
	}

	/** How many echoes a source has brought, and which part of the present its texts are. */
	standing(source: string): {readonly echoes: number; readonly weight: number} {
		return {echoes: this.echoes.get(source) ?? 0, weight: this.#life?.talk.weightOf(source) ?? 0};
	}

	/** How unusual the conversation of a new source is with a text that comes; null for a known source, and where no rule asks for it. */
	strangenessOf(text: Pick<BaselineText, 'source' | 'conversation' | 'time' | 'vector'>): Strangeness | null {
		const isNew = !this.#known.has(text.source) && (this.#life?.talk.addedOf(text.source) ?? 0) < knownAfter;
		return isNew ? this.#strangers?.(text) ?? null : null;
	}

	/** How far talk that waits lies from what is ordinary; null where that is not known. */
	readTalk(texts: readonly BaselineText[]): number | null {
		return this.#life?.readTalk(texts) ?? null;
	}

	take(text: WatchedText): Watched {
		const {notices, isUnusual} = this.#notice(this.#life?.take(text) ?? []);
		this.#noteMoment(text.time);
		return {notices: [...notices, ...this.#takeEcho(text)], isUnusual};
	}

	/** Ends the conversations that are silent for too long. @param now milliseconds since the epoch */
	endSilent(now: number): Watched {
		const watched = this.#notice(this.#life?.endSilent(now) ?? []);
		this.#noteMoment(now);
		return watched;
	}

	/** Follows a reset of the state. */
	reset(): void {
		this.#life?.reset();
	}

	/** Remembers something that the identity said. */
	addOwn(output: OwnOutput): void {
		this.#echoGuard.add(output);
	}

	#noteMoment(time: number): void {
		const chart = this.#life?.voice('heard')?.chart;
		if (chart) {
			noteMoment(this.#trail, chart, time, maxWatched);
		}
	}

	#notice(happenings: readonly Happening[]): Watched {
		return {
			notices: happenings.flatMap((happening): WatchNotice[] => {
				switch (happening.kind) {
					case 'alarm': return [this.#alarm(happening)];
					case 'changed': return [{type: 'source.changed', source: happening.source, p: happening.p}];
					case 'taken up': {
						const {source, p, effect, since} = happening;
						return [{type: 'source.taken_up', source, p, effect, since: toTimestamp(since)}];
					}

					default: return [];
				}
			}),
			isUnusual: happenings.some(happening => happening.kind === 'unusual' && happening.voice === 'heard'),
		};
	}

	#alarm({voice, conversation}: Extract<Happening, {kind: 'alarm'}>): WatchNotice {
		const {chart} = this.#life!.voice(voice)!;
		const place = nearestLimit(chart.readings);
		const {since, unreadShare, moved, averageRunLength} = chart.describe();
		return {
			type: 'drift.alarm',
			voice,
			...chart.readings[place]!,
			conversation: {
				texts: conversation.length,
				ids: conversation.slice(-maxListed).map(({id}) => id),
				from: toTimestamp(conversation[0]!.time),
				to: toTimestamp(conversation.at(-1)!.time),
			},
			since,
			blame: chart.blame(place).slice(0, maxListed).map(({source, share}) => ({source, share})),
			unreadShare,
			moved,
			averageRunLength,
		};
	}

	#takeEcho({id, source, time, vector, isDaemons, isOwn}: WatchedText): WatchNotice[] {
		if (isOwn && !isDaemons) {
			this.addOwn({id, timestamp: toTimestamp(time), vector});
			return [];
		}

		const echo = isDaemons ? null : this.#echoGuard.check(vector);
		if (!echo) {
			return [];
		}

		this.echoes.set(source, (this.echoes.get(source) ?? 0) + 1);
		return [{type: 'echo.noticed', id, source, ...echo}];
	}
}

const toTimestamp = (time: number): string => new Date(time).toISOString();
