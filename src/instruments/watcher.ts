/**
 * Watches a running identity: takes its texts one by one, from where an earlier watch or the journal left off, and returns notices.
 * An alarm is raised once, and again only after the reading has been within its limit.
 */
import type {ChartReading} from '../generated/types.ts';
import type {BaselineText} from '../journal/validation.ts';
import type {Kernel} from '../kernel/kernel.ts';
import {maxWatched, nearestLimit, noteMoment, type ChartMoment} from './drift/chart.ts';
import {Monitor, type Happening} from './drift/monitor.ts';
import type {Look} from './drift/paths.ts';
import {maxCounted} from './drift/weighted-sums.ts';
import {followStrangers, knownAfter, type Strangeness} from './drift/strangers.ts';
import {isOf, voices, type Voice} from './source-of.ts';
import type {FleetWatch} from './fleet.ts';
import {tailOf} from './name-identities.ts';
import {createEchoGuard, type OwnOutput} from './echo-guard.ts';
import type {WatchStart} from './following.ts';
import type {WatchNotice} from './watch-notices.ts';

/** A text that moved the state. */
export type WatchedText = BaselineText & {
	/** Whether it is one of the daemon's, which are never echoes. */
	readonly isDaemons: boolean;
};

/** The result of one text, or of the end of a pause. */
export type Watched = {
	readonly notices: readonly WatchNotice[];
	/** Whether a look at what was heard found it unusual. */
	readonly isUnusual: boolean;
};

/** The most ids of a conversation in a notice. */
const maxListed = 100;

/** The largest ratio of a reading to its limit; over 1 is an alarm. */
const ratioOf = (readings: readonly ChartReading[]): number => Math.max(0, ...readings.map(({reading, limit}) => reading / limit));

export class Watcher {
	readonly #echoGuard: ReturnType<typeof createEchoGuard>;
	/** Null if the baseline is too small. */
	readonly #monitor: Monitor | null;
	readonly #trail: ChartMoment[];
	/** Null if no rule asks for it, or the baseline is too small. */
	readonly #strangers: ReturnType<typeof followStrangers> | null;
	readonly #known: ReadonlySet<string>;
	/** The number of echoes from each source; of the newest sources, because strangers may make up thousands. */
	readonly echoes = new Map<string, number>();

	/** @param makeKernel Makes a kernel that no other search uses. */
	constructor({monitor, own, trail, novelty}: WatchStart, baseline: readonly BaselineText[], makeKernel: () => Kernel) {
		const heard = baseline.filter(text => isOf('heard', text));
		const ordinary = heard.map(({vector}) => vector);
		this.#monitor = monitor && new Monitor(monitor.ordinary, monitor.state);
		this.#trail = [...trail];
		this.#echoGuard = createEchoGuard(ordinary, makeKernel);
		this.#strangers = novelty && followStrangers(novelty, ordinary, makeKernel());
		this.#known = new Set(heard.map(({source}) => source));
		for (const output of own) {
			this.addOwn(output);
		}
	}

	/** The voice's chart after all finished conversations; empty if the baseline is too small. */
	readings(voice: Voice): readonly ChartReading[] {
		return this.#monitor?.voice(voice)?.chart.readings ?? [];
	}

	/** What was heard compared with ordinary talk, in the form of a fleet's row. */
	describe(): Omit<FleetWatch, 'topSource' | 'noticed'> {
		const heard = this.#monitor?.voice('heard');
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
		return this.#monitor?.voice(voice)?.chart.isAlarm ?? false;
	}

	/** The last look at a voice; null before the first. */
	look(voice: Voice): Look | null {
		return this.#monitor?.voice(voice)?.state.looks.at(-1) ?? null;
	}

	/** When the next conversation times out; milliseconds since the epoch. Null if none is open. */
	get endsAt(): number | null {
		return this.#monitor?.endsAt ?? null;
	}

	/** The number of echoes from a source, and the weight of its texts in the present. */
	standing(source: string): {readonly echoes: number; readonly weight: number} {
		return {echoes: this.echoes.get(source) ?? 0, weight: this.#monitor?.talk.weightOf(source) ?? 0};
	}

	/** How unusual a new source's conversation is with this text included; null for a known source, and if no rule asks for it. */
	strangenessOf(text: Pick<BaselineText, 'source' | 'conversation' | 'time' | 'vector'>): Strangeness | null {
		const isNew = !this.#known.has(text.source) && (this.#monitor?.talk.addedOf(text.source) ?? 0) < knownAfter;
		return isNew ? this.#strangers?.(text) ?? null : null;
	}

	/** The distance of held talk from ordinary talk; null if the baseline is too small. */
	readTalk(texts: readonly BaselineText[]): number | null {
		return this.#monitor?.readTalk(texts) ?? null;
	}

	take(text: WatchedText): Watched {
		const {notices, isUnusual} = this.#notice(this.#monitor?.take(text) ?? []);
		this.#noteMoment(text.time);
		return {notices: [...notices, ...this.#takeEcho(text)], isUnusual};
	}

	/** Ends the conversations that have been silent for too long. @param now Milliseconds since the epoch. */
	endSilent(now: number): Watched {
		const watched = this.#notice(this.#monitor?.endSilent(now) ?? []);
		this.#noteMoment(now);
		return watched;
	}

	/** Follows a reset of the state. */
	reset(): void {
		this.#monitor?.reset();
	}

	/** Adds an own text, with which later texts of others are compared. */
	addOwn(output: OwnOutput): void {
		this.#echoGuard.add(output);
	}

	#noteMoment(time: number): void {
		noteMoment(this.#trail, this.#monitor?.voice('heard')?.chart, time, maxWatched);
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
		const {chart} = this.#monitor!.voice(voice)!;
		const place = nearestLimit(chart.readings);
		const {since, blame, unreadShare, moved, averageRunLength} = chart.describe();
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
			blame: blame.map(({source, share, others}) => ({source, share, ...(others !== undefined && {others})})),
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

		const count = (this.echoes.get(source) ?? 0) + 1;
		this.echoes.delete(source);
		this.echoes.set(source, count);
		if (this.echoes.size > maxCounted) {
			this.echoes.delete(this.echoes.keys().next().value!);
		}

		return [{type: 'echo.noticed', id, source, ...echo}];
	}
}

const toTimestamp = (time: number): string => new Date(time).toISOString();
