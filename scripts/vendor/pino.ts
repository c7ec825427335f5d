export {pino, type Logger} from 'pino';
