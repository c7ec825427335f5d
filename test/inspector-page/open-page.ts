/** A page that is opened once for all tests of a file that change nothing: opening one takes seconds. */
import test from 'ava';
import type {Page} from 'playwright-core';
import type {useBrowser} from './browser.ts';
import {openMachines} from './on-page.ts';
import {servePage} from './service.ts';

export const useOpenPage = (newPage: ReturnType<typeof useBrowser>): (() => Promise<Page>) => {
	let closeService: (() => unknown) | undefined;
	test.after.always('the open page’s service ends', () => closeService?.());

	const openOne = async (): Promise<Page> => {
		const {url} = await servePage({
			teardown(close) {
				closeService = close;
			},
		});
		// It closes with the browser.
		const page = await newPage({teardown() {}, timeout: Object.assign(() => {}, {clear() {}})});
		await openMachines(page, url);
		return page;
	};

	let opening: Promise<Page> | undefined;
	return () => opening ??= openOne();
};
