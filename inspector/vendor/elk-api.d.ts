/** The layout library's door, served from its package. It comes as a script that sets a global. */
import type {ELKConstructorArguments, ELK as Elk} from 'elkjs';

declare global {
	var ELK: new (options: ELKConstructorArguments) => Elk;
}
