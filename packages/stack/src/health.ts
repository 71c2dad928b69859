// The command `srs-stack health`, the health check of the container. It succeeds if the running server responds to `/healthz` at its bound
// port.
import { fileURLToPath } from 'node:url';
import { healthPath } from '@srs-stack/contract/constants.ts';
import { dataFolder, loadEnvironment } from './environment.ts';
import { listenHosts } from './listen-hosts.ts';
import { isResponding, readBoundPorts } from './readiness.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
/** Timeout of the request, milliseconds; shorter than the usual timeout of container runtimes. */
const healthTimeoutMs = 3_000;

const dataDir = dataFolder(process.env, checkout);
const ports = await readBoundPorts(dataDir, 0);
const host = listenHosts(loadEnvironment(process.env, dataDir)).http ?? '127.0.0.1';
const isHealthy =
  ports !== undefined &&
  (await isResponding(`${host}:${ports.http}`, healthPath, AbortSignal.timeout(healthTimeoutMs)));
console.log(isHealthy ? 'The server responds.' : 'The server does not respond.');
process.exitCode = isHealthy ? 0 : 1;
