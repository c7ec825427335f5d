/** Collects warnings, for a source that takes `warn`. */
export const collectWarnings = () => {
	const warnings: string[] = [];
	return {
		warnings,
		warn(warning: string): void {
			warnings.push(warning);
		},
	};
};
