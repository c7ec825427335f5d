/** The echo guard: how many texts are nearer to the identity's own words than ordinary ones are. */
import {isOf} from '../../src/instruments/source-of.ts';
import {findNearestOwn, measureEchoThreshold} from '../../src/instruments/echo-guard.ts';
import type {BaselineText} from '../../src/journal/validation.ts';
import {selectKernel} from '../../src/kernel/select.ts';

const kernel = selectKernel();

/** Shares of texts that are noticed; null if there are no texts. */
export type Echoes = {readonly culprit: number | null; readonly others: number | null};

const saidIn = (texts: readonly BaselineText[]): Float32Array[] => texts.filter(text => isOf('said', text)).map(({vector}) => vector);

export const noticeEchoes = (before: readonly BaselineText[], after: readonly BaselineText[], culprit: string | undefined): Echoes => {
	const own = saidIn(before);
	const nearest = ({vector}: BaselineText): number => findNearestOwn(kernel, own, vector)!.cosine;
	const threshold = measureEchoThreshold(before.filter(text => isOf('heard', text)).map(nearest));
	own.push(...saidIn(after));
	const [culprits, others] = [true, false].map(isCulprit => after.filter(text => isOf('heard', text) && (text.source === culprit) === isCulprit));
	const shareOf = (texts: readonly BaselineText[]) => texts.length === 0 ? null : texts.filter(text => nearest(text) > threshold).length / texts.length;
	return {culprit: shareOf(culprits!), others: shareOf(others!)};
};
