/** An identity with an encoder of your own. No embedding model is loaded. */
import {openIdentity} from 'processual-state';
import {encoder} from './pairs-of-letters.ts';

const identity = await openIdentity({encoder});
const {stateId, dissonanceTotal} = await identity.cycle('The sea is quiet today.');
console.log(`${identity.health().embeddingModel}: state ${stateId}, dissonance ${dissonanceTotal.toFixed(2)}`);
await identity.dispose();
