// @ts-check
/** Figures as they are read: few digits, and powers of ten where a number is very small. */

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** @param {number} exponent */
const raised = exponent => (exponent < 0 ? '⁻' : '') + [...String(Math.abs(exponent))].map(digit => superscripts[Number(digit)]).join('');

/**
 * @param {number} value
 * @returns {string} for example `0.9956`, `8.3 × 10⁻⁷`, `0`
 */
export const figure = value => {
	const size = Math.abs(value);
	if (size === 0) {
		return '0';
	}

	if (size < 0.0005) {
		const [digits = '', exponent] = value.toExponential(1).split('e');
		return `${digits.replace('-', '−')} × 10${raised(Number(exponent))}`;
	}

	return value.toFixed(size < 0.1 ? 4 : 3).replace('-', '−');
};

/** @param {number} milliseconds */
export const duration = milliseconds => milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;

/** @param {number} value */
const two = value => String(value).padStart(2, '0');

/**
 * @param {number} time Milliseconds since the epoch.
 * @returns {string} the time of day, to the millisecond
 */
export const timeOfDay = time => {
	const date = new Date(time);
	return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
};
