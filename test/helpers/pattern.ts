/** One regular expression from several that follow one another: a long text is read line by line. */
export const pattern = (...parts: readonly RegExp[]): RegExp => new RegExp(parts.map(({source}) => source).join(''), parts[0]!.flags);
