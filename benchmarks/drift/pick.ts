import type {Random} from '../../src/platform/clock.ts';

/** One of some items, all equally likely. */
export const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
