/**
 * A state: eight unit rows of 1024 floats, an id, and the time when it was made.
 *
 * States are immutable values. A row is never written after it was made: two states share the rows that did not change, and a kernel
 * recognises a row that it already has in memory by identity.
 */
import {dimensions, width, type Dimension, indexOf} from './dimensions.ts';

/** Eight rows of 1024 floats in the order of `dimensions`, read-only by contract. */
export type Rows = readonly Float32Array[];

/** One state of the identity, an immutable value. */
export class StateTensor {
	readonly stateId: number;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	readonly rows: Rows;

	/** @throws {RangeError} unless there are 8 rows of 1024 floats */
	constructor(stateId: number, timestamp: string, rows: Rows) {
		if (rows.length !== dimensions.length || rows.some(row => row.length !== width)) {
			throw new RangeError(
				`A state has ${dimensions.length} rows of ${width} floats, got ${rows.map(row => row.length).join(', ') || 'none'}.`,
			);
		}

		this.stateId = stateId;
		this.timestamp = timestamp;
		this.rows = rows;
	}

	/** The 1024 floats of one dimension. */
	row(dimension: Dimension): Float32Array {
		return this.rows[indexOf(dimension)]!;
	}

	/** The same rows with another id. The reference has the id −1. */
	withId(stateId: number): StateTensor {
		return new StateTensor(stateId, this.timestamp, this.rows);
	}

	/** A state that differs only in thirdness, the row that cycles move. */
	withThirdness(stateId: number, timestamp: string, thirdness: Float32Array): StateTensor {
		return new StateTensor(stateId, timestamp, this.rows.with(indexOf('thirdness'), thirdness));
	}

	/** The same state with copied rows, which the caller may write. */
	copy(): StateTensor {
		return new StateTensor(this.stateId, this.timestamp, this.rows.map(row => row.slice()));
	}

	/** One line instead of 8192 numbers, so that logs and inspectors stay readable. */
	toJSON(): string {
		return `state ${this.stateId} of ${this.timestamp}`;
	}
}
