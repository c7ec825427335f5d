export {default} from 'uplot';
