/** Headers of ours, which the service and the client send each other. */

/** The id of a cycle. The body of `POST /cycle` has the interface's fields alone. */
export const cycleIdHeader = 'X-Cycle-Id';

/** Of a request: the id that its cycle is to have. A repetition under it is answered with the first one's result. */
export const idempotencyKeyHeader = 'Idempotency-Key';

/** `true` in a response that repeats another. */
export const replayedHeader = 'Idempotency-Replayed';

/** Names the fields of a body that are not known, where the interface accepts them. */
export const ignoredFieldsHeader = 'Ignored-Fields';
