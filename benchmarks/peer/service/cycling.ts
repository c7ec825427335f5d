/**
 * Posts cycles at full speed: `node cycling.ts URL SECONDS`, and sends its parent the cycles per
 * second. It runs at low priority: otherwise the reads, whose latency is measured at the same
 * time, would wait for the load instead of the service.
 */
import {setPriority} from 'node:os';
import {saturate} from './load.ts';

setPriority(10);
const [url, seconds] = process.argv.slice(2);
const {perSecond} = await saturate(url!, '/cycle', {connections: 16, seconds: Number(seconds)});
process.send!(perSecond);
