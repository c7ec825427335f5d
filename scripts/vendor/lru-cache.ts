export {LRUCache} from 'lru-cache';
