/**
 * Posts cycles at full speed: `node cycling.ts URL SECONDS`, and sends its parent how many there
 * were in a second. It gives way to whoever else wants its core: else the reads beside it, which
 * are measured, would wait for the load rather than for the service.
 */
import {setPriority} from 'node:os';
import {saturate} from './load.ts';

setPriority(10);
const [url, seconds] = process.argv.slice(2);
const {perSecond} = await saturate(url!, '/cycle', {connections: 16, seconds: Number(seconds)});
process.send!(perSecond);
