/** The cosine of two vectors from their product and their norms; 0 where either is a zero vector. */
export const cosine = (product: number, a: number, b: number): number => a === 0 || b === 0 ? 0 : product / (a * b);
