/** The playground: an identity in the page, with the bundled encoder and the built-in directions. */
import {createIdentity, dimensions, StateTensor} from 'processual-state';
import {bundledPassport, openInPage} from './encoder.js';

const byId = id => document.querySelector(`#${id}`);
const outcome = byId('outcome');

const toVector = text => {
	const vector = new Float32Array(1024);
	vector.set(new Float32Array(Uint8Array.from(atob(text), character => character.charCodeAt(0)).buffer));
	return vector;
};

/** @param tone The pleasant–unpleasant axis, which is removed from every direction but itself. */
const unpack = ({vector, reading, ...direction}, tone = null) => ({
	...direction,
	...(vector && {vector: toVector(vector)}),
	...(reading && {reading: {...reading, vector: toVector(reading.vector), tone: reading.tone && tone}}),
});

/** Loaded only when the reader begins, since the weights are 7 MB. */
let parts;
const loadParts = async () => {
	const [weights, {tone, directions}] = await Promise.all([
		fetch('weights/use-lite-q8.bin').then(response => response.arrayBuffer()),
		fetch('directions.json').then(response => response.json()),
	]);
	const unpackedTone = tone && unpack(tone);
	return {embed: openInPage(new Uint8Array(weights)), directions: directions.map(direction => unpack(direction, unpackedTone))};
};

let identity;

const list = (id, texts) => {
	byId(id).replaceChildren(...texts.map(text => {
		const item = document.createElement('li');
		item.textContent = text;
		return item;
	}));
};

const showWho = () => {
	const standouts = identity.scaledProfile({lens: 'thirdness'}).directions.filter(({standsOut}) => standsOut).toSorted((one, other) => Math.abs(other.z) - Math.abs(one.z));
	list('standouts', standouts.length === 0 ? ['Nothing.'] : standouts.slice(0, 12).map(({pole, z, key}) => `${pole} (${key}, z ${z.toFixed(2)})`));
};

byId('begin').addEventListener('submit', async event => {
	event.preventDefault();
	outcome.textContent = 'Loading the encoder …';
	const {embed, directions} = await (parts ??= loadParts());
	// For the curious, in the browser's console.
	globalThis.embedInPage = embed;
	await identity?.dispose();
	const encoder = {passport: bundledPassport, embed, languages: ['en'], dispose: async () => {}};
	identity = createIdentity({
		encoder: async () => encoder,
		directions,
		themes: {rumination: ['Who am I?'], corpus: ['The sea.']},
		async initialState() {
			const vector = await embed(byId('beginning').value);
			return new StateTensor(0, new Date().toISOString(), dimensions.map(() => vector));
		},
	});
	await identity.ready();
	byId('say').hidden = false;
	list('moves', []);
	showWho();
	outcome.textContent = `State ${identity.state().stateId}: it begins.`;
});

byId('say').addEventListener('submit', async event => {
	event.preventDefault();
	const content = byId('text').value;
	const before = new Map(identity.scaledProfile({lens: 'thirdness'}).directions.map(({key, z}) => [key, z]));
	let result;
	for (let n = 0; n < byId('times').valueAsNumber; n++) {
		result = await identity.cycle({content, source: 'you', conversation: 'playground'});
	}

	outcome.textContent = `State ${result.stateId}: dissonance ${result.dissonanceTotal.toFixed(3)}.`;
	const moved = identity.scaledProfile({lens: 'thirdness'}).directions
		.map(direction => ({...direction, by: direction.z - before.get(direction.key)})).toSorted((one, other) => Math.abs(other.by) - Math.abs(one.by));
	list('moves', moved.slice(0, 6).map(({by, polePositive, poleNegative, key}) => `${by > 0 ? polePositive : poleNegative} (${key}, ${by > 0 ? '+' : '−'}${Math.abs(by).toFixed(2)} z)`));
	showWho();
});
