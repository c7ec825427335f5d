/**
 * The words of messages. They name an option by its path: `encoder.apiKey` is the `apiKey` of the
 * encoder's options. A program whose users know other names, as the command's know settings, sets
 * these once at its start.
 */
type Reword = (message: string) => string;

let reword: Reword = message => message;

/** Sets what rewords every message from now on. */
export const setWording = (rewording: Reword): void => {
	reword = rewording;
};

/** A message in the program's words. */
export const inProgramsWords: Reword = message => reword(message);
