/** The tense of a French verb's form, by the endings that all conjugations have in common. */

export type Tense = 'present' | 'past' | 'future' | 'conditional' | 'gerund' | 'infinitive';

const futureEnding = /^(?:ai|as|a|ons|ez|ont)$/;
const imperfectEnding = /(?:ais|ait|aient)$/;

/**
 * A future is the infinitive, without a final e, and an ending, so the infinitive tells it from other tenses: “entra” is the
 * past of “entrer”. Forms with irregular stems are in the table.
 */
export const tenseOf = (form: string, infinitive: string): Tense => {
	if (form === infinitive) {
		return 'infinitive';
	}

	const stem = infinitive.replace(/e$/, '');
	if (form.startsWith(stem)) {
		const ending = form.slice(stem.length);
		if (futureEnding.test(ending)) {
			return 'future';
		}

		if (imperfectEnding.test(ending) && ending.length <= 5) {
			return 'conditional';
		}
	}

	const root = infinitive.slice(0, -2);
	if (infinitive.endsWith('er') && form.startsWith(root) && /^(?:ai|as|a|âmes|âtes|èrent)$/.test(form.slice(root.length))) {
		return 'past';
	}

	// Presents that look like imperfects: “il fait”, “je connais” (imperfects “faisait”, “connaissais”); also “sais”, “vais”.
	const isShort = (/a[iî]t?re$/.test(infinitive) && !/[sy](?:ais|ait|aient)$/.test(form)) || /^[hsv]ai[st]$/.test(form);
	return form.endsWith('ant') ? 'gerund' : imperfectEnding.test(form) && !isShort ? 'past' : 'present';
};

/** The endings of past participles, by the ending of the infinitive. */
const participles: ReadonlyArray<readonly [infinitive: RegExp, participle: RegExp]> = [
	[/er$/, /ée?s?$/],
	[/oir$/, /(?:[uû]|is)e?s?$/],
	[/ir$/, /(?:[iu]|ert|mort)e?s?$/],
	[/re$/, /(?:[uû]|is|[aiu]t|int|né|été)e?s?$/],
];

/** Whether a form may be a past participle; after “avoir” or “être” it is one. */
export const mayBeParticiple = (form: string, infinitive: string): boolean =>
	form !== infinitive && participles.some(([ending, participle]) => ending.test(infinitive) && participle.test(form));

/** Verbs that form their past with “être”. */
export const movedByBeing: ReadonlySet<string> = new Set([
	'aller', 'venir', 'arriver', 'partir', 'sortir', 'entrer', 'rentrer', 'monter', 'descendre', 'tomber', 'rester', 'retourner', 'revenir',
	'devenir', 'naître', 'mourir', 'passer', 'parvenir', 'décéder',
]);
