/** A reader of the output may stop early, as in `processual doctor | head`. The command then still runs to its end. */
export const isBrokenPipe = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EPIPE';

/** Keeps the standard streams from ending the command when their reader has closed them. */
export const ignoreBrokenPipes = (): void => {
	for (const stream of [process.stdout, process.stderr]) {
		stream.on('error', error => {
			if (!isBrokenPipe(error)) {
				throw error;
			}
		});
	}
};
