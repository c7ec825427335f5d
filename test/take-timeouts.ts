/**
 * `AbortSignal.timeout` in the hand of a test: what it makes expires when the test says so, however
 * slow the machine is. The whole file has it for that long, so for serial tests alone.
 */
import type {ExecutionContext} from 'ava';

export type TakenTimeout = {readonly ms: number; expire: () => void};

/** @returns the timeouts that are made from now to the test's end, in their order */
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
