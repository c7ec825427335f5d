/**
 * The library: an identity to embed in another application, with the types of its options and
 * results. An application imports only what it uses: `processual-state/http`, `/journal`,
 * `/store`, `/sources`, `/embedding`, `/language`, `/kernel`, `/actors`, `/inspection`, `/client`.
 *
 * @module processual-state
 */
export type {
	Alike, ChartBeginning, ChartBlame, ChartReading, ConversationChart, Difference, DifferenceRequest, DifferenceSource,
	DifferenceText, DirectionChange, Drift, DriftDirection, DriftPoint, DriftRequest, DriftSource, DriftValidation, SaidDrift,
	UnreadPart, History, HistoryPoint, HistoryRequest, Ledger, LedgerEntry, LedgerRequest, Move as DirectionMove, NearText,
	PastState, Source as SourceReport, Sources as SourcesReport, Uptake as UptakeReport, UptakeSource, UptakeText,
} from './generated/types.ts';
import './platform/require-node.ts';
export {createIdentity, identityOf, openIdentity} from './identity/create-identity.ts';
export type {EventOf, EventsDropped, EventStream, EventType, IdentityEvent, LifecycleEvent, Listener} from './identity/events.ts';
export type {CallOptions, Eventually} from './platform/waiting.ts';
export type {DrainOptions, Identity, LocalIdentity} from './identity/identity.ts';
export type {IdentityOfOptions, IdentityOptions} from './identity/options.ts';
export type {ForgetElsewhere} from './identity/ask-forget.ts';
export type {ForgotThere} from './sources/forget-texts.ts';
export {selectors} from './identity/selectors.ts';
export type {ProcessActor} from './identity/pending-requests.ts';
export type {StepReport} from './actors/boot.ts';
export type {BootStep} from './actors/boot-steps.ts';
export type {CycleStep, CycleSteps} from './actors/cycle.ts';
export type {Corroborate, EncoderBoot} from './actors/deps.ts';
export type {Boot, Source} from './sources/source.ts';
export type {Warn} from './platform/errors.ts';
export type {GuardOptions} from './actors/guard.ts';
export {defaultLoop, type LoopConfig} from './actors/loop.ts';
export type {ProcessSnapshot} from './actors/process.ts';
export type {CycleEnd, ProcessEmitted} from './actors/process-events.ts';
export type {TranslationReport} from './actors/translation.ts';
export type {Counters, KnownTrigger, LastTrigger} from './actors/trigger.ts';
export type {Origin} from './actors/turns.ts';
export type * from './identity/views.ts';
export type {WatchedDrift, WatchView} from './identity/watch-view.ts';
export type {Grouping} from './instruments/ledger.ts';
export type {RecordedPoint} from './instruments/history.ts';
export type {Moment} from './instruments/past/find-moment.ts';
export {Questions, type QuestionsOptions} from './instruments/past/questions.ts';
export type {Voice} from './instruments/source-of.ts';
export type {WatchedConversation, WatchNotice} from './instruments/watch-notices.ts';
export type {DeepReadonly} from './platform/immutable.ts';
export type {Authority, Method} from './semiosis/fixation.ts';
export type {Direction, DirectionReading, Profile, ProfileEntry} from './semiosis/profile.ts';
export type {Scale} from './semiosis/scale.ts';
export type {DeclaredProfile, Person} from './semiosis/reference.ts';
export type {Level} from './semiosis/vigilance.ts';
export {dimensions, type Dimension} from './kernel/dimensions.ts';
export {StateTensor, type Rows} from './kernel/state-tensor.ts';
export type {Random, Time} from './platform/clock.ts';
export {ProcessualError, type BusyError, type ErrorDetails} from './platform/errors.ts';
