/**
 * Who may know whom: text → embedding → cycle → state → snapshot → HTTP, and no arrow back.
 * The rules are the picture in README.md ("How it is built").
 */
const layer = (name, path, mayKnow) => ({
	name,
	comment: `${name} may know only: ${mayKnow.join(', ') || 'nobody'}`,
	severity: 'error',
	from: {path: `^src/${path}`},
	to: {path: '^src/', pathNot: [`^src/${path}`, '^src/errors\\.ts$', '^src/time\\.ts$', ...mayKnow.map(known => `^src/${known}`)]},
});

module.exports = {
	forbidden: [
		layer('tensor', 'tensor/', []),
		layer('kernel', 'kernel/', ['tensor/']),
		layer('semiosis', 'semiosis/', ['tensor/', 'kernel/kernel\\.ts$']),
		layer('embedding', 'embedding/', ['tensor/']),
		layer('language', 'language/', ['semiosis/']),
		layer('store', 'store/', ['tensor/', 'semiosis/', 'embedding/encoder\\.ts$']),
		layer('actors', 'actors/', ['tensor/', 'semiosis/', 'kernel/kernel\\.ts$', 'embedding/encoder\\.ts$', 'language/translator\\.ts$', 'store/']),
		layer('http', 'http/', ['actors/views\\.ts$', 'actors/trigger\\.ts$', 'actors/daemon\\.ts$']),
		{
			name: 'http-knows-types',
			comment: 'http knows the actors by their types and the door, nothing under them.',
			severity: 'error',
			from: {path: '^src/http/'},
			to: {path: '^src/(kernel|semiosis|embedding|store|language|tensor)/', dependencyTypesNot: ['type-only']},
		},
		{
			name: 'environment-at-the-edge',
			comment: 'Only the command line and main start from the configuration.',
			severity: 'error',
			from: {path: '^src/', pathNot: '^src/(cli|main|config|logging)\\.ts$'},
			to: {path: '^src/(config|main|cli|logging)\\.ts$'},
		},
		{
			name: 'no-circles',
			severity: 'error',
			from: {},
			to: {circular: true},
		},
		{
			name: 'no-orphans',
			severity: 'error',
			from: {orphan: true, path: '^src/', pathNot: '\\.d\\.ts$'},
			to: {},
		},
	],
	options: {
		doNotFollow: {path: 'node_modules'},
		tsPreCompilationDeps: true,
		tsConfig: {fileName: 'tsconfig.json'},
		enhancedResolveOptions: {extensions: ['.ts', '.js', '.json'], exportsFields: ['exports'], conditionNames: ['import', 'node', 'default']},
	},
};
