/**
 * Texts of any characters of Unicode. The same as fast-check's `fc.string({unit: 'binary'})`,
 * which spends a second in each file that uses it to map all million characters.
 */
import fc, {type StringConstraints} from './fast-check.ts';

/** The code points of surrogates, which are no characters. */
const [firstHalf, lastHalf] = [0xD8_00, 0xDF_FF];
const halves = lastHalf - firstHalf + 1;

export const anyCharacter = fc.nat({max: 0x10_FF_FF - halves}).map(code => String.fromCodePoint(code < firstHalf ? code : code + halves));

export const anyText = (constraints: Omit<StringConstraints, 'unit'> = {}): fc.Arbitrary<string> =>
	fc.string({...constraints, unit: anyCharacter});
