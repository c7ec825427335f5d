const isOld = Number.parseInt(process.versions.node, 10) < 24;
const options = ['--disable-warning=ExperimentalWarning', `--import=${new URL('test/using-on-node-22.ts', import.meta.url).href}`];

export default {
	files: ['test/**/*.test.ts'],
	extensions: ['ts'],
	require: ['./test/temporary-files.ts'],
	timeout: '2m',
	// The second is for the processes that a test starts.
	...(isOld && {nodeArguments: options, environmentVariables: {NODE_OPTIONS: options.join(' ')}}),
};
