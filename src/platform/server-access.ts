/** Checks the address and the key of a server before its first use: error messages then show no secret. */

type ErrorClass = new (message: string) => Error;

/** The address without a slash at its end; null unless it is http or https and has no credentials, query or fragment. */
export const plainUrl = (address: string): string | null => {
	const url = URL.parse(address);
	const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
	return isPlain ? url.href.replace(/\/+$/, '') : null;
};

/** Whether an HTTP header can carry the key. The platform's error for any other key would quote it. */
export const isHeaderSafe = (key: string): boolean => /^[\x21-\x7E]+$/.test(key);

/** The plain address that an option of this name gives. @throws what `Failure` makes for another: a key has its own option */
export const requirePlainUrl = (address: string, option: string, keyOption: string, example: string, Failure: ErrorClass): string => {
	const url = plainUrl(address);
	if (url === null) {
		throw new Failure(`${option} must be a plain http or https address such as ${example}; a key belongs in ${keyOption}.`);
	}

	return url;
};

/** The key that an option of this name gives. @throws what `Failure` makes for one that no header can carry */
export const requireHeaderSafe = (key: string, option: string, Failure: ErrorClass): string => {
	if (!isHeaderSafe(key)) {
		throw new Failure(`${option} has a space, a line break or another character that no key has. Copy the key again.`);
	}

	return key;
};

/** The key of a secret that signs webhooks, of 24 bytes at least; null for what is none. */
export const signingKeyOf = (secret: string): Buffer | null => {
	const encoded = secret.replace(/^whsec_/, '');
	const key = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
	return key.length >= 24 ? key : null;
};
