/**
 * Vectors of the reference's texts in PostgreSQL, by a hash of model and text. The first node that needs one makes it;
 * all others have its bits, and take an identity over without embedding up to 8000 characters (320 ms of a core).
 */
import {passportOf, type Encoder} from '../embedding/encoder.ts';
import type {Database} from '../platform/postgres/database.ts';
import {toValue} from '../platform/postgres/values.ts';
import type {Person} from '../semiosis/reference.ts';
import {withStoreErrors} from './store/postgres/store.ts';
import {digestOf, toBytes, toFloats} from './store/row-codec.ts';

/** Of two nodes that make one at the same time, both get the first one's. */
const keep = 'insert into processual.text_vector as kept (digest, vector) values ($1, $2) '
	+ 'on conflict (digest) do update set vector = kept.vector returning vector';

type Row = {vector: Uint8Array};

export const keepVectors = ({query}: Pick<Database, 'query'>, encoder: Encoder): NonNullable<Person['embed']> =>
	async (text, signal) => withStoreErrors('the vectors in the database', async () => {
		const digest = toValue(digestOf([JSON.stringify(passportOf(encoder)), text]));
		const [known] = await query<Row>('select vector from processual.text_vector where digest = $1', [digest]);
		const [row] = known ? [known] : await query<Row>(keep, [digest, toValue(toBytes(await encoder.embed(text, signal)))]);
		return toFloats(row!.vector);
	});
