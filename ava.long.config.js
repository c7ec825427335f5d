/** The same claims as in every run, longer, and those that rest on a part of what there is: see `test/long/groups.js`. */
import fast from './ava.config.js';
import {groups} from './test/long/groups.js';

export default {
	...fast,
	files: Object.values(groups).flatMap(({alone, longer}) => [...alone, ...longer]),
	environmentVariables: {...fast.environmentVariables, TEST_LENGTH: 'long'},
};
