/** Joins regular expressions into one, so that a long one can be written line by line. */
export const pattern = (...parts: readonly RegExp[]): RegExp => new RegExp(parts.map(({source}) => source).join(''), parts[0]!.flags);
