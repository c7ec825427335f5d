export {default} from 'pino-pretty';
