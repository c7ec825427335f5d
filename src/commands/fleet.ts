/** `processual fleet`: the identities of a running service at a glance. */
import {createClient} from '../client/create-client.ts';
import type {FleetIdentity, FleetRequest} from '../generated/types.ts';
import {toJson} from '../http/question.ts';
import {Fleet} from '../instruments/answers/fleet.ts';
import {ConfigurationError} from '../platform/errors.ts';
import {phrase, withPoint} from '../platform/phrase.ts';
import {quote} from '../platform/plain-line.ts';
import {findServiceOf} from './ask-identity.ts';
import {askService} from './connect-to.ts';
import {drawBars} from './history/describe-findings.ts';
import type {Given} from './setting-options.ts';
import type {Settings} from './settings.ts';
import {fixed, when} from './show-answers.ts';
import {formatTable, type Cell} from './terminal.ts';

/** The number of newest readings that are drawn. */
const maxBars = 16;

/** @throws {ConfigurationError} if no service runs */
export const showFleet = async (settings: Settings, {json, ...given}: Given): Promise<string> => {
	const service = findServiceOf(settings);
	if (!service) {
		throw new ConfigurationError(settings.DATABASE_URL === undefined
			? 'No service is running on this folder. Start one with “processual serve”, or set PROCESSUAL_URL to the address '
				+ 'of one.'
			: 'Every node can list all identities of the database: set PROCESSUAL_URL to the address of a node.');
	}

	const {baseUrl, token} = service;
	const fleet = await askService(service, async () => createClient({baseUrl, token}).fleet(given as FleetRequest));
	if (json) {
		return toJson(Fleet, fleet);
	}

	const {identities, found, total, named, alarms, sources, behind, next} = fleet;
	return [
		[
			found < total
				? phrase`${found} of ${total} identities`
				: total === 1 ? phrase`1 identity` : phrase`${total} identities`,
			phrase`${named} named, at most one in twenty of them by chance`,
			phrase`${alarms} with an alarm.`,
		].join(phrase`; `),
		...sources.filter(source => source.named).map(({source, identities: count, p}) =>
			phrase`${quote(source)} moves ${count} identities (p ${Number(p.toPrecision(2))}).`),
		...behind === 0 ? [] : [phrase`Journals being reread, because their rows are out of date: ${behind}.`],
		...identities.length === 0 ? [] : ['', formatTable(columns(), identities.map(identity => toCells(identity)))],
		...next === null ? [] : ['', phrase`More: --after ${next}`],
	].join('\n');
};

const columns = () => [
	phrase`identity`, phrase`named`, phrase`alarm`, 'p', phrase`distance`, phrase`readings`, phrase`source`, phrase`texts`, phrase`newest`,
	phrase`held`, phrase`validated`,
];

const toCells = ({id, named, alarm, p, tailP, distance, readings, topSource, texts, lastText, held, validated}: FleetIdentity): Cell[] => [
	id, named ? phrase`named` : '', alarm ? phrase`alarm` : '', p === null ? null : withPoint(String(Number((tailP ?? p).toPrecision(2)))),
	fixed(distance, 2),
	drawBars(readings.slice(-maxBars), 1), topSource?.source ?? '', texts, when(lastText ?? undefined), held, validated?.slice(0, 10) ?? null,
];
