/** The model's matrices, with their size. */
export const matrices = {
	'layer0.qkv': [256, 768],
	'layer0.dense': [256, 512],
	'layer0.output': [256, 512],
	'layer0.ffn1': [512, 1536],
	'layer0.ffn2': [1536, 512],
	'layer1.qkv': [512, 1536],
	'layer1.output': [512, 512],
	'layer1.ffn1': [512, 1536],
	'layer1.ffn2': [1536, 512],
	tanh: [512, 512],
} as const satisfies Record<string, readonly [depth: number, columns: number]>;

export type MatrixName = keyof typeof matrices;
