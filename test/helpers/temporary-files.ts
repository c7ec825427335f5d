/**
 * Loaded before each test file: its process, and those that it starts, put temporary files
 * into one folder, which is removed at the end.
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
