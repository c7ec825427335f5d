/** What a new user meets who serves the installed package in an empty folder. */
import {networked} from '../helpers/registry.ts';
import {serve} from './commands.ts';

type ScaledProfile = {directions: Array<{z: number | null; word: string | null; stands_out: boolean; pole: string | null}>};

networked('an identity that began at random, and was told nothing, leans to nothing in any answer', async t => {
	const {url} = await serve(t);
	const {directions} = await (await fetch(`${url}/profile/scaled`)).json() as ScaledProfile;
	t.true(directions.some(({z}) => Math.abs(z!) > 1));
	t.deepEqual(directions.filter(({word, stands_out, pole}) => word !== 'none' || stands_out || pole !== null), []);
});
