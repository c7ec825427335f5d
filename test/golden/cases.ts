/** The shapes of the golden cases, as `README.md` beside this file describes them. */
import type {Method} from '../../src/semiosis/fixation.ts';
import type {Level} from '../../src/semiosis/vigilance.ts';
import type {Dimension} from '../../src/kernel/dimensions.ts';

/** One of `cycles.json`. */
export type CycleCase = {
	id: number;
	category: string;
	name: string;
	state: string;
	input: number;
	normalise_input?: boolean;
	articles?: Array<{vector: number; critical: boolean}>;
	anchors?: number[];
	corroborating?: Array<number | null>;
	float32_may_flip?: string[];
	expect: {
		scores: number[];
		dissonance_total: number;
		is_choc: boolean;
		dimensions_affected: Dimension[];
		raw_magnitude: number;
		delta_magnitude: number;
		was_clamped: boolean;
		moved: number;
		contributions: Record<Method, number>;
		thirdness: number;
		state_id: number;
	};
};

/** `trajectory.json`: 500 cycles in a row. */
export type Trajectory = {
	state: string;
	x_ref: string;
	input_sample: Array<{cycle: number; vector: number}>;
	input_sha256_float32_le: string;
	checkpoints: Record<string, number>;
	delta_magnitude: number[];
	dissonance_total: number[];
	is_choc: boolean[];
	scores: number[][];
	level: Level[];
	cumulative_drift: number[];
	dim_distances: number[][];
	top_drifting_dimensions: number[][];
};
