// @ts-check
/** Numbers and times as text: few digits, and powers of ten for very small numbers. */

const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** @param {number} exponent */
const toSuperscript = exponent => (exponent < 0 ? '⁻' : '') + [...String(Math.abs(exponent))].map(digit => superscripts[Number(digit)]).join('');

/**
 * @param {number} value
 * @returns {string} for example `0.996`, `8.3 × 10⁻⁷`, `0`
 */
export const formatNumber = value => {
	const size = Math.abs(value);
	if (size === 0) {
		return '0';
	}

	if (size < 0.0005) {
		const [digits = '', exponent] = value.toExponential(1).split('e');
		return `${digits.replace('-', '−')} × 10${toSuperscript(Number(exponent))}`;
	}

	return value.toFixed(size < 0.1 ? 4 : 3).replace('-', '−');
};

/** @param {number} milliseconds */
export const formatDuration = milliseconds => milliseconds < 10 ? `${milliseconds.toFixed(1)} ms` : `${Math.round(milliseconds)} ms`;

const timeOfDay = new Intl.DateTimeFormat('en-GB', {hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3});

/**
 * @param {number} time Milliseconds since the epoch.
 * @returns {string} the local time of day, to the millisecond
 */
export const formatTime = time => timeOfDay.format(time);
