/** All tools. They stand apart from their definitions, whose types an application sees, because these types name TypeBox. */
import {drift} from './drift.ts';
import {history} from './history.ts';
import {say} from './say.ts';
import type {Tool} from './tool.ts';
import {whatWouldChange} from './what-would-change.ts';
import {whoAmI} from './who-am-i.ts';
import {why} from './why.ts';

export const tools: readonly Tool[] = [say, whoAmI, whatWouldChange, why, drift, history];
