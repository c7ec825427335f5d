/**
 * Fixation: Peirce's four methods of fixing belief, each of which proposes a pull on thirdness
 * (`docs/spec/numerics.md#fixation`).
 *
 * Every method's vector has the form coefficient · (e − X_from). So a decision is a few numbers, and the weighted sum of the vectors
 * is a single pull that the kernel applies.
 */
import {ConfigurationError} from '../platform/errors.ts';
import type {Comparison, Kernel, Pull} from '../kernel/kernel.ts';
import {indexOf, type Dimension} from '../kernel/dimensions.ts';
import type {StateTensor} from '../kernel/state-tensor.ts';
import {nameOf} from '../platform/option-names.ts';

/** The limit of ‖delta‖. */
export const maxDelta = 0.001;

/**
 * The highest id of an initial state. Each cycle adds 1. Almost as many ids are left up to the last safe integer, above which a JSON
 * number is not exact.
 */
export const maxInitialStateId = 2 ** 52;

/** The weight of each method in the pull; they sum to 1. */
export const weights = {tenacity: 0.05, authority: 0.25, apriori: 0.25, science: 0.45};

/** A method of fixing a belief. */
export type Method = keyof typeof weights;

export const methods = Object.keys(weights) as Method[];

/** A value for each method. @param valueOf Makes the value of a method and its place in {@link methods}. */
export const byMethod = (valueOf: (method: Method, place: number) => number): Record<Method, number> =>
	Object.fromEntries(methods.map((method, place) => [method, valueOf(method, place)])) as Record<Method, number>;

/** A method's vector: coefficient · (e − X_from). */
export type Proposal = {coefficient: number; from: keyof Pull};

export type Fixation = Record<Method, Proposal>;

/** The proposals of authority and science. They do not depend on the state, so a journal keeps them as inputs. */
export type Proposals = Record<'authority' | 'science', Proposal>;

/** What authority holds true: articles, some of them critical, and anchors. All vectors are unit vectors. */
export type Authority = {
	readonly articles: ReadonlyArray<{vector: Float32Array; critical: boolean}>;
	readonly anchors: readonly Float32Array[];
};

/** The default: without articles, authority proposes nothing. */
export const minimalAuthority: Authority = {articles: [], anchors: []};

export const proposalsOf = ({authority, science}: Fixation): Proposals => ({authority, science});

const none: Proposal = {coefficient: 0, from: 'thirdness'};

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

type Products = Pick<Comparison, 'dots'>;

const dotOf = ({dots}: Products, dimension: Dimension): number => dots[indexOf(dimension)]!;

const tenacity = (comparison: Products): Proposal =>
	dotOf(comparison, 'thirdness') > 0.8 ? {coefficient: 0.1, from: 'thirdness'} : none;

const byAuthority = (kernel: Kernel, e: Float32Array, {articles, anchors}: Authority): Proposal => {
	if (articles.length === 0) {
		return none;
	}

	const agreement = kernel.dots(e, articles.map(({vector}) => vector));
	const contradicted = articles.filter((_, i) => agreement[i]! < 0.3);
	if (contradicted.some(({critical}) => critical)) {
		return {coefficient: -0.3, from: 'valeurs'};
	}

	if (contradicted.length > 0) {
		return {coefficient: -0.1, from: 'valeurs'};
	}

	if (mean(agreement) > 0.7) {
		return {coefficient: 0.2, from: 'valeurs'};
	}

	return anchors.length > 0 && mean(kernel.dots(e, anchors)) > 0.6 ? {coefficient: 0.15, from: 'thirdness'} : none;
};

const apriori = (comparison: Products): Proposal => {
	const coherence =
		(dotOf(comparison, 'firstness') + dotOf(comparison, 'thirdness') + dotOf(comparison, 'orientations') + dotOf(comparison, 'valeurs'))
		/ 4;
	return {coefficient: coherence > 0.5 ? 0.15 * coherence : 0.05, from: 'thirdness'};
};

const science = (kernel: Kernel, e: Float32Array, corroborating: ReadonlyArray<Float32Array | null>): Proposal => {
	const vectors = corroborating.filter(vector => vector !== null);
	if (vectors.length === 0) {
		return {coefficient: 0.05, from: 'secondness'};
	}

	const support = mean(kernel.cosines(e, vectors));
	if (support > 0.6) {
		return {coefficient: 0.3, from: 'thirdness'};
	}

	return support > 0.3 ? {coefficient: 0.15, from: 'thirdness'} : {coefficient: 0.1, from: 'secondness'};
};

/**
 * Decides by the four methods.
 *
 * @param corroborating A text without a vector is null, and is skipped.
 */
export const fixate = (
	kernel: Kernel,
	e: Float32Array,
	comparison: Products,
	authority: Authority = minimalAuthority,
	corroborating: ReadonlyArray<Float32Array | null> = [],
): Fixation => fixateBy({authority: byAuthority(kernel, e, authority), science: science(kernel, e, corroborating)}, comparison);

/** Decides by the four methods, if the proposals of authority and science are known. */
export const fixateBy = (proposals: Proposals, comparison: Products): Fixation => ({
	tenacity: tenacity(comparison),
	authority: proposals.authority,
	apriori: apriori(comparison),
	science: proposals.science,
});

/** The weighted sum of the methods' vectors, as one pull. */
export const pullOf = (fixation: Fixation): Pull => {
	const pull: Pull = {secondness: 0, thirdness: 0, valeurs: 0};
	for (const method of methods) {
		pull[fixation[method].from] += weights[method] * fixation[method].coefficient;
	}

	return pull;
};

export type Applied = {
	state: StateTensor;
	rawMagnitude: number;
	deltaMagnitude: number;
	/** The norm of each method's vector, unweighted. */
	contributions: Record<Method, number>;
};

/**
 * Adds the limited delta to thirdness and normalises it (`docs/spec/numerics.md#apply`). The other
 * rows are shared with the old state.
 *
 * @throws {ConfigurationError} if the state's id is the last safe integer
 */
export const applyFixation = (kernel: Kernel, state: StateTensor, e: Float32Array, fixation: Fixation, timestamp: string): Applied => {
	const stateId = state.stateId + 1;
	if (!Number.isSafeInteger(stateId)) {
		throw new ConfigurationError(
			`The cycle was dropped: state_id ${state.stateId} is the last that a JSON number holds exactly. Import the state with a state_id `
				+ `of at most ${maxInitialStateId}, and start with it in another ${nameOf('journal.folder')}.`,
		);
	}

	const {thirdness, rawMagnitude, deltaMagnitude, gaps} = kernel.move(state.rows, e, pullOf(fixation), maxDelta);
	return {
		state: state.withThirdness(stateId, timestamp, thirdness),
		rawMagnitude,
		deltaMagnitude,
		contributions: byMethod(method => Math.abs(fixation[method].coefficient) * gaps[fixation[method].from]),
	};
};
