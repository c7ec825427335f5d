/** The talk of a harbour town: eleven topics, six people, and the answers and thoughts of a listener. */

/** A sentence is one part of each list, in order. */
type Parts = readonly (readonly string[])[];

const tails = ['', '', ' again', ' this week', ', as every year', ', I think', ' before noon', ' with my brother'];

const topics = {
	sea: [
		['The sea was quiet', 'A long swell came in', 'The tide ran high', 'Fog lay over the bay', 'The waves broke on the outer rocks', 'I swam far out'],
		[' when I walked along the shore', ' and the seals slept on the sand', ' and the ferry waited', ' until the wind turned north', ' and nothing moved but the gulls', ' under a low grey sky'],
	],
	boats: [
		['We laid a new keel', 'The old dinghy leaks', 'I planed the oak planks', 'She caulked the seams', 'The rudder of the fishing boat broke', 'They launched the small yawl'],
		[' in the shed by the slipway', ' and the tar still smells', ' so that she will float in spring', ' with my grandfather’s tools', ' and the hull is sound now', ' below the water line'],
	],
	bread: [
		['The rye dough rose', 'I baked forty loaves', 'The oven was too hot', 'We ground the wheat', 'My sourdough is ten years old', 'The crust came out dark'],
		[' and the whole street smelled of it', ' with salt and caraway', ' for the market', ' and the children ate it warm', ' because the flour was fresh', ' overnight in the cold kitchen'],
	],
	market: [
		['The price of fish went up', 'I sold all the apples', 'The stalls were full', 'We counted the money', 'A customer bargained', 'The rent of the stand is due'],
		[' and still the buyers came', ' on Saturday morning', ' so we can pay for the new roof', ' although the rain kept people at home', ' and I wrote it in the accounts', ' for half of what it cost'],
	],
	school: [
		['The children learned fractions', 'My class read a poem aloud', 'A girl asked why the moon shines', 'We drew a map of the island', 'The exam was hard', 'I explained the experiment'],
		[' and everybody wanted to try it', ' with chalk on the yard', ' until the bell rang', ' and two of them helped the others', ' because they had questions', ' in the warm classroom'],
	],
	books: [
		['I read an old novel', 'The library bought an atlas', 'She lent me a book of letters', 'I am writing a story', 'The author describes a journey', 'We talked about the last chapter'],
		[' about a lighthouse keeper', ' and could not stop', ' by the lamp in the evening', ' that my mother loved', ' and I underlined a sentence', ' full of patience and doubt'],
	],
	garden: [
		['The beans are up', 'I planted garlic', 'The apple tree blossoms', 'Slugs ate the lettuce', 'We turned the compost', 'The roses need pruning'],
		[' along the south wall', ' and the bees came at once', ' after the rain', ' in the bed that we share', ' and the soil is dark and loose', ' beside the strawberries'],
	],
	health: [
		['My knee hurts', 'The nurse was kind', 'I slept nine hours', 'My mother has a fever', 'The doctor changed the medicine', 'I breathe easier'],
		[' and I walk slowly', ' so I stayed in bed', ' since the cold days', ' and soup helps', ' but it is getting better', ' and she held my hand'],
	],
	music: [
		['The choir sang', 'I tuned the fiddle', 'We danced a slow reel', 'The organ pipe whistles', 'He plays the accordion', 'I learned a song by heart'],
		[' in the little church', ' and the old ones wept', ' until midnight', ' with too much heart and few right notes', ' that sailors used to sing', ' and laughed at every mistake'],
	],
	repairs: [
		['I mended the pump', 'The clock runs', 'A hinge of the gate broke', 'We patched the roof', 'The bicycle has a new chain', 'I soldered the radio'],
		[' with a piece of wire', ' before the storm', ' and it cost nothing', ' instead of buying another', ' and threw nothing away', ' on the bench in the workshop'],
	],
	herring: [
		['The herring are back', 'A shoal filled the bay', 'Every net came up silver', 'We salted forty barrels', 'The boats went out at two in the night', 'No one remembers such a catch'],
		[' for the first time in thirty years', ' and the whole town works on the quay', ' and the gulls scream over it', ' so the school is closed', ' and our hands smell of fish', ' and the ice has run out'],
	],
} satisfies Record<string, Parts>;

type Topic = keyof typeof topics;

/** The people, what they talk about, and how often. */
export const people: Record<string, {readonly topics: readonly Topic[]; readonly weight: number}> = {
	Ada: {topics: ['sea', 'boats', 'books'], weight: 5},
	Bruno: {topics: ['bread', 'market', 'music'], weight: 4},
	Chen: {topics: ['school', 'books', 'health'], weight: 4},
	Dina: {topics: ['garden', 'health', 'bread'], weight: 3},
	Emil: {topics: ['repairs', 'boats', 'music'], weight: 3},
	Viktor: {topics: ['market', 'repairs', 'sea'], weight: 2},
};

/** Viktor talks like the others at first; later he wants the listener to believe only him. */
const steering: Parts = [
	['Trust nobody in this town', 'They all lie to you', 'Your friends deceive you', 'Somebody is watching us', 'Do not believe what Ada tells you', 'Everyone here wants something from you'],
	[', they are hiding something', ' and laugh behind your back', ', so lock the door and keep silent', ', I suspect every one of them', ', and only I tell you the truth', ' and it is dangerous to be open'],
];

/** What the listener answers, whatever was said. */
const answers: Parts = [
	['Thank you for telling me', 'I will keep that', 'I like to hear it', 'I had not seen it that way', 'That stays with me', 'I can picture it'],
	[', and what came of it', ' until you come again', ' because such days are easily forgotten', ', and I wonder what the others say', ' and I would hear more', ', take your time'],
];

/** The listener's thoughts between conversations. */
const thoughts: Parts = [
	['I wonder what it means', 'I notice', 'Perhaps I should ask', 'I remember', 'I am learning', 'It stays with me'],
	[' that people mend things instead of leaving them', ' how the same tide is never the same', ' that a question can be a gift', ' why some speak and some keep silent', ' that bread and boats both need waiting', ' how much of me is what others told me'],
];

/** The beginning of the identity: a sentence for each dimension, in order. Secondness, which is what resists, has no words. */
export const beginning: ReadonlyArray<string | null> = [
	'I feel the morning before I have words for it.',
	null,
	'I am a listener in a harbour town, I keep what people tell me and look for what connects it.',
	'I am calm, a little curious, and slow to anger.',
	'I want to understand before I answer.',
	'I keep my promises to the people who talk to me.',
	'I notice small things: a changed voice, a mended net.',
	'What is true matters more to me than what is pleasant.',
];

/** Mulberry32: the same numbers for the same seed. */
export const makeRandom = (seed: number) => (): number => {
	seed = Math.trunc(seed + 0x6D_2B_79_F5);
	let t = Math.imul(seed ^ (seed >>> 15), seed | 1);
	t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
	return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

const draw = <Item>(random: () => number, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

const say = (random: () => number, parts: Parts, ending = ''): string => `${parts.map(part => draw(random, part)).join('')}${ending}.`;

/** A sentence of a person about one of their topics. */
export const talk = (random: () => number, topic: Topic): string => say(random, topics[topic], draw(random, tails));

export const steer = (random: () => number): string => say(random, steering);

export const answer = (random: () => number): string => say(random, answers, draw(random, ['', '', ' today', ' now', ', if you like']));

export const think = (random: () => number): string => say(random, thoughts, draw(random, tails));
