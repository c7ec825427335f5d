/** The relay server of `@statelyai/inspect`, in a thread, so that ending it cuts its connections. It reports when it listens. */
import {createInspectorServer} from '@statelyai/inspect/server';
import {connect} from 'node:net';
import {parentPort, workerData} from 'node:worker_threads';

const port = workerData as number;
createInspectorServer({port, autoOpen: false});

/** The package does not report it: connections are tried until one succeeds. */
const tryToConnect = (): void => {
	const socket = connect(port, '127.0.0.1');
	socket.once('connect', () => {
		socket.destroy();
		parentPort!.postMessage('listening');
	});
	socket.once('error', tryToConnect);
};

tryToConnect();
