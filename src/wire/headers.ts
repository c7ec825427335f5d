/** Response headers of ours, which the service sends and the client reads. */

/** The id of a cycle. The body of `POST /cycle` has the interface's fields alone. */
export const cycleIdHeader = 'X-Cycle-Id';
