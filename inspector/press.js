// @ts-check
/**
 * A browser makes a click only where the press and the release are on the same element. A button
 * that is drawn again between the two would lose it, so an answer that comes during a press is
 * shown after its release.
 */
const pressable = 'button, a, label, summary';

/** @type {PromiseWithResolvers<void>} */
let press = Promise.withResolvers();
press.resolve();

addEventListener('pointerdown', ({target, button}) => {
	press.resolve();
	if (button === 0 && target instanceof Element && target.closest(pressable)) {
		press = Promise.withResolvers();
	}
});

for (const end of ['pointerup', 'pointercancel', 'blur']) {
	// The click follows in the same task.
	addEventListener(end, () => void setTimeout(press.resolve));
}

/** Settles once no button is pressed. */
export const whenReleased = () => press.promise;
