/**
 * `AbortSignal.timeout` under a test's control: its signals expire when the test says so, however
 * slow the machine is. It is replaced for the whole file until the test ends: for serial tests only.
 */
import type {ExecutionContext} from 'ava';

export type TakenTimeout = {readonly ms: number; expire: () => void};

/** @returns the timeouts that are made until the test ends, in their order */
export const takeTimeouts = (t: ExecutionContext): TakenTimeout[] => {
	const taken: TakenTimeout[] = [];
	const {timeout} = AbortSignal;
	AbortSignal.timeout = ms => {
		const controller = new AbortController();
		taken.push({
			ms,
			expire() {
				controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
			},
		});
		return controller.signal;
	};

	t.teardown(() => {
		AbortSignal.timeout = timeout;
	});
	return taken;
};
