/** Warnings in a list, for a source that is given `warn`. */
export const collectWarnings = () => {
	const warnings: string[] = [];
	return {
		warnings,
		warn(warning: string): void {
			warnings.push(warning);
		},
	};
};
