/**
 * A strict parser of Prometheus's text format, version 0.0.4: it throws on any violation of the
 * format or of the naming rules. It accepts two peculiarities of prom-client's default metrics,
 * which Prometheus accepts too: gauges that end in `_total`, and `Nan` for no sample yet.
 */
type Sample = {name: string; labels: Record<string, string>; value: number};

type Family = {name: string; help: string; type: string; samples: Sample[]};

const word = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const helpLine = new RegExp(`^# HELP (${word}) (\\S.*\\.)$`);
const typeLine = new RegExp(`^# TYPE (${word}) (counter|gauge|histogram)$`);
const sampleLine = new RegExp(`^(${word})(?:\\{(.*)\\})? ([+-]?(?:\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?|Inf|Nan))$`);
const label = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\["\\n])*)"/g;
const labelsLine = new RegExp(`^${label.source}(?:,${label.source})*$`);

/** The families of a text, by name. @throws {Error} with the line that is wrong */
export const readMetrics = (text: string): Map<string, Family> => {
	const families = new Map<string, Family>();
	const seen = new Set<string>();
	let family: Family | undefined;
	if (!text.endsWith('\n')) {
		throw new Error('The last line has no end.');
	}

	for (const line of text.slice(0, -1).split('\n').filter((each) => each !== '')) {
		const wrong = (why: string): Error => new Error(`${why}: ${line}`);
		const [, helped, help] = helpLine.exec(line) ?? [];
		const [, typed, type] = typeLine.exec(line) ?? [];
		if (helped && help) {
			if (families.has(helped)) {
				throw wrong('A duplicate family');
			}

			family = {name: helped, help, type: '', samples: []};
			families.set(helped, family);
		} else if (typed && type) {
			if (family?.name !== typed || family.type !== '' || family.samples.length > 0) {
				throw wrong('A type out of place');
			}

			if ((type === 'counter') !== typed.endsWith('_total') && !typed.startsWith('nodejs_')) {
				throw wrong('Counters, and they alone, end in _total');
			}

			family.type = type;
		} else {
			const sample = readSample(line);
			if (!sample || !family?.type) {
				throw wrong('Not a line of the format');
			}

			if (!namesOf(family).includes(sample.name)) {
				throw wrong('A sample of another family');
			}

			const key = JSON.stringify([sample.name, Object.entries(sample.labels).toSorted()]);
			if (seen.has(key)) {
				throw wrong('A duplicate series');
			}

			if (family.type !== 'gauge' && sample.value < 0) {
				throw wrong('A negative count');
			}

			seen.add(key);
			family.samples.push(sample);
		}
	}

	for (const each of families.values()) {
		if (each.type === 'histogram') {
			checkHistogram(each);
		}
	}

	return families;
};

const readSample = (line: string): Sample | undefined => {
	const [, name, inBraces, value] = sampleLine.exec(line) ?? [];
	if (!name || !value || (inBraces !== undefined && !labelsLine.test(inBraces))) {
		return undefined;
	}

	const pairs = [...(inBraces ?? '').matchAll(label)].map(([, key, text]) => [key!, text!] as const);
	const labels = Object.fromEntries(pairs);
	return Object.keys(labels).length === pairs.length ? {name, labels, value: Number(value.replace('Inf', 'Infinity'))} : undefined;
};

const namesOf = (family: Family): string[] =>
	family.type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${family.name}_${part}`) : [family.name];

/** The bucket counts of each series grow with their bounds, up to the total count. */
const checkHistogram = (family: Family): void => {
	const series = Map.groupBy(family.samples, ({labels}) => JSON.stringify({...labels, le: undefined}));
	for (const [key, members] of series) {
		const valuesOf = (part: string) => members.filter((sample) => sample.name === `${family.name}_${part}`);
		const buckets = valuesOf('bucket').map(({labels: {le = ''}, value}) => ({bound: Number(le.replace('+Inf', 'Infinity')), value}));
		const grows = buckets.every(({bound, value}, index) => index === 0
			|| (bound > buckets[index - 1]!.bound && value >= buckets[index - 1]!.value));
		const last = buckets.at(-1);
		if (!grows || last?.bound !== Number.POSITIVE_INFINITY || last.value !== valuesOf('count')[0]?.value || valuesOf('sum').length !== 1) {
			throw new Error(`A broken histogram: ${family.name} ${key}`);
		}
	}
};

/** The value of one series. @throws {Error} if it does not exist */
export const valueOf = (families: Map<string, Family>, series: string, labels: Record<string, string> = {}): number => {
	const sample = [...families.values()].flatMap(({samples}) => samples).find(({name, labels: its}) =>
		name === series
			&& Object.keys(its).length === Object.keys(labels).length
			&& Object.entries(labels).every(([key, text]) => its[key] === text));
	if (!sample) {
		throw new Error(`There is no ${series} with ${JSON.stringify(labels)}.`);
	}

	return sample.value;
};
