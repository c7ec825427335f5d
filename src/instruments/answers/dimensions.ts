/** Builders of schemas over the dimensions. */
import type {TSchema} from '../../platform/typebox.ts';
import {byDimension, dimensions, type Dimension} from '../../kernel/dimensions.ts';
import {shape, word} from '../../wire/builders.ts';

/** An object with a field for each dimension. */
export const eachDimension = <Field extends TSchema>(title: string, description: string, fieldOf: (name: Dimension) => Field) =>
	shape(title, description, byDimension(fieldOf));

export const dimensionName = () => word('Name of a dimension.', dimensions);
