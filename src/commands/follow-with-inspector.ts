/** Sends the frames of an identity to the inspector of INSPECTOR_URL. */
import type {Logger} from 'pino';
import type {Inspection} from '../observe/inspection.ts';

/** @returns what disconnects */
export const followWithInspector = async (address: string, inspection: Inspection, logger: Logger): Promise<() => void> => {
	const {connectInspector} = await import('../observe/connect-inspector.ts');
	return connectInspector(address, inspection, {
		onChange(isConnected) {
			// Without the rest of the address, which may hold credentials.
			logger.info({inspector: new URL(address).host}, isConnected ? 'inspector connected' : 'inspector not connected');
		},
	});
};
