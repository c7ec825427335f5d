export {collectDefaultMetrics, Counter, Gauge, Histogram, Registry} from 'prom-client';
