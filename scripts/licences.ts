/** Collects the licences of the packages in a bundle. */
import {readdir, readFile, writeFile} from 'node:fs/promises';
import path from 'node:path';

/** The folder of the package that a file belongs to. */
const folderOf = (file: string): string => /.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)![0];

/** The name, version and licence texts of the package in a folder. */
const licenceOf = async (folder: string): Promise<string> => {
	const {name, version, license} = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Record<string, string>;
	const names = (await readdir(folder)).filter(file => /^(?:licen[cs]e|notice)/i.test(file));
	const texts = await Promise.all(names.map(async file => (await readFile(path.join(folder, file), 'utf8')).trim()));
	return [`${name} ${version} (${license})`, ...texts].join('\n\n');
};

/** @param inputs the files in the bundle; those outside `node_modules` are ours, or have their licences beside them */
export const writeLicences = async (target: string, inputs: readonly string[]): Promise<void> => {
	const folders = new Set(inputs.filter(input => input.includes('node_modules/')).map(folderOf));
	const licences = await Promise.all([...folders].toSorted().map(licenceOf));
	await writeFile(target, `${licences.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`);
};
