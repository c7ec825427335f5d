/** What every call takes, here and afar. */
export type CallOptions = {
	/** Aborts the call, which then throws the signal's reason. @default undefined */
	signal?: AbortSignal | undefined;
};

/** At once in this program, later from afar: `await` takes both. */
export type Eventually<View> = View | Promise<View>;
