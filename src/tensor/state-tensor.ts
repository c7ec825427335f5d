/**
 * A state: eight unit rows of 1024 floats, an id and the time it was made.
 *
 * States are values. A row is never written after it was made, so two states share the rows
 * that did not change, and a kernel may recognise a row that it already holds by identity.
 */
import {dimensions, width, type Dimension, indexOf} from './dimensions.ts';

/** Eight rows in the order of `dimensions`, 1024 floats each, read only by contract. */
export type Rows = readonly Float32Array[];

/** One state of the identity; a value, whose rows nobody writes. */
export class StateTensor {
	readonly stateId: number;
	/** ISO 8601, UTC. */
	readonly timestamp: string;
	readonly rows: Rows;

	/** @throws {RangeError} unless there are 8 rows of 1024 floats. */
	constructor(stateId: number, timestamp: string, rows: Rows) {
		if (rows.length !== dimensions.length || rows.some(row => row.length !== width)) {
			throw new RangeError(`A state has ${dimensions.length} rows of ${width} floats, got ${rows.map(row => row.length).join(', ') || 'none'}.`);
		}

		this.stateId = stateId;
		this.timestamp = timestamp;
		this.rows = rows;
	}

	/** The 1024 floats of one dimension. */
	row(dimension: Dimension): Float32Array {
		return this.rows[indexOf(dimension)]!;
	}

	/** The same rows under another id (the reference is such a copy, with −1). */
	withId(stateId: number): StateTensor {
		return new StateTensor(stateId, this.timestamp, this.rows);
	}

	/** The same state with copied rows, for a caller who may write into them. */
	copy(): StateTensor {
		return new StateTensor(this.stateId, this.timestamp, this.rows.map(row => row.slice()));
	}

	/** One line instead of 8192 numbers, so that logs and inspectors stay readable. */
	toJSON(): string {
		return `state ${this.stateId} of ${this.timestamp}`;
	}
}
