export {RateLimiterMemory, RateLimiterRes} from 'rate-limiter-flexible';
