/** A validation in short: as a record, an event and an answer say it. */
import type {ValidationFacts} from './journal.ts';

export const factsOf = ({id, timestamp, note, stateId, baseline}: ValidationFacts): ValidationFacts => ({id, timestamp, note, stateId, baseline});
