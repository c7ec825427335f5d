/** The layout of one worker's part of the memory, which holds the values of one window of tokens. */

/** Maximum tokens per window: the model has no more positions. */
export const maxTokens = 128;

/** Floats per token in the first layer's input. */
export const tokenWidth = 256;

/** Floats per token after that, and of the model's vector. */
export const modelWidth = 512;

/** Kernels round the rows up to a multiple of two, three, four or five. */
const rows = 132;

/** The bytes of each part, in order. */
const parts = {
	ids: maxTokens * 2,
	/** The scales of quantised rows. */
	scales: rows * 4,
	/** The first layer's input. */
	input: rows * tokenWidth * 4,
	/** The values that go through the layers. */
	stream: rows * modelWidth * 4,
	normed: rows * modelWidth * 4,
	attended: rows * modelWidth * 4,
	/** Queries, keys and values; or the inner values of a feed-forward network. */
	wide: rows * 3 * modelWidth * 4,
	quantised: rows * 3 * modelWidth * 2,
	/** The keys of one head, transposed. */
	keys: maxTokens * maxTokens * 4,
	/** The attention weights of one head. */
	attention: rows * maxTokens * 4,
};

export type ScratchPart = keyof typeof parts;

/** The offset of each part. */
export const scratch = {} as Record<ScratchPart, number>;

/** The bytes of all parts, in whole cache lines. */
export let scratchBytes = 0;
for (const [name, bytes] of Object.entries(parts) as Array<[ScratchPart, number]>) {
	scratch[name] = scratchBytes;
	scratchBytes += Math.ceil(bytes / 64) * 64;
}
