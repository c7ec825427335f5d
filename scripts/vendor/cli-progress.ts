export {MultiBar, Presets, SingleBar} from 'cli-progress';
