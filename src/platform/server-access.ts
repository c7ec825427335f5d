/** Checks the address and the key of a server before its first use, so that error messages show no secret. */

type ErrorClass = new (message: string) => Error;

/** The address without a trailing slash; null unless it is http or https and has no credentials, query or fragment. */
export const plainUrl = (address: string): string | null => {
	const url = URL.parse(address);
	const isPlain = url && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.search && !url.hash;
	return isPlain ? url.href.replace(/\/+$/, '') : null;
};

/** Whether an HTTP header can carry the key. The platform's error for any other key would quote it. */
export const isHeaderSafe = (key: string): boolean => /^[\x21-\x7E]+$/.test(key);

/** The plain address from an option. @throws a `Failure` for any other: a key has a separate option */
export const requirePlainUrl = (address: string, option: string, keyOption: string, example: string, Failure: ErrorClass): string => {
	const url = plainUrl(address);
	if (url === null) {
		throw new Failure(`${option} must be a plain http or https address such as ${example}; a key belongs in ${keyOption}.`);
	}

	return url;
};

/** The key from an option. @throws a `Failure` for one that no header can carry */
export const requireHeaderSafe = (key: string, option: string, Failure: ErrorClass): string => {
	if (!isHeaderSafe(key)) {
		throw new Failure(`${option} has a space, a line break or another character that no key has. Copy the key again.`);
	}

	return key;
};

/** The key in a secret that signs webhooks, of at least 24 bytes; null if the secret is invalid. */
export const signingKeyOf = (secret: string): Buffer | null => {
	const encoded = secret.replace(/^whsec_/, '');
	const key = /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
	return key.length >= 24 ? key : null;
};
