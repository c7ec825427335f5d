// @ts-check
/**
 * The address of the service, and its token. Both are in the credential, because everybody who edits a workflow can change
 * the fields of a node: they could have the token sent elsewhere.
 */

/** @typedef {import('n8n-workflow').ICredentialType} ICredentialType */

/** @implements {ICredentialType} */
class ProcessualStateApi {
	name = 'processualStateApi';
	displayName = 'Processual State API';
	/** n8n serves no icon beside `package.json`. */
	icon = /** @type {const} */ ('file:icons/icon.svg');
	/** Not by the node HTTP Request, whose address is a field. */
	restrictToSupportedNodes = /** @type {const} */ (true);
	hideDomainRestrictionFields = true;
	/** @type {ICredentialType['properties']} */
	properties = [
		{name: 'baseUrl', displayName: 'Base URL', description: 'Address of the service', type: 'string', default: 'http://localhost:8100'},
		{
			name: 'token', displayName: 'Token', description: 'Blank for a service without tokens',
			type: 'string', typeOptions: {password: true}, default: '',
		},
	];
	/** @type {ICredentialType['test']} */
	test = {
		request: {
			baseURL: '={{$credentials.baseUrl}}',
			url: '/health',
			headers: {authorization: '=Bearer {{$credentials.token}}'},
			// Not 403: the service knows the token, which is limited to some identities.
			ignoreHttpStatusErrors: {ignore: true, except: [400, 401, 404, 429, 500, 502, 503, 504]},
		},
		rules: [{type: 'responseCode', properties: {value: 401, message: 'The service requires its token.'}}],
	};
}

module.exports = {ProcessualStateApi};
