// @ts-check
/**
 * A browser fires a click only if the press and the release are on the same element. A button that
 * is redrawn between the two would lose the click, so an answer that arrives during a press is
 * shown after the release.
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
