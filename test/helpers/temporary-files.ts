/**
 * Loaded before each test file, whose process keeps its temporary files, and those of the
 * processes that it starts, in one folder that goes with it.
 */
import {chmodSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';

const folder = mkdtempSync(path.join(tmpdir(), 'processual-test-'));
// Some tests act as another user.
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
process.once('exit', () => {
	rmSync(folder, {recursive: true, force: true, maxRetries: 3});
});
