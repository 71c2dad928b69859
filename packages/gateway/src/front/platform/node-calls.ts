// Calls that control planes of other nodes make of this one: they came on the internal port, by certificate, and go on with the secret
// of this node, as what the gateway asks itself does. Files leave from here, as for any viewer.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeCallPrefix, nodeCallSecretHeader } from '@srs-stack/contract/node-calls.ts';
import type { PlatformProxy } from './platform-proxy.ts';

export interface NodeCallsOptions {
  readonly proxy: Pick<PlatformProxy, 'forward'>;
  /** Between the gateway and its control plane. */
  readonly secret: string;
}

/** Answers 404 for every path that is none of other nodes. */
export function createNodeCalls({ proxy, secret }: NodeCallsOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [pathname = ''] = (request.url ?? '').split('?', 1);
    // No dots: what the control plane resolves is what was looked at here.
    if (!pathname.startsWith(nodeCallPrefix) || pathname.includes('..') || pathname.includes('%')) {
      response.writeHead(404).end();
      return;
    }
    request.rawHeaders = withSecret(request.rawHeaders, secret);
    proxy.forward(request, response, pathname);
  };
}

/** In the place of whatever the caller has shown. */
function withSecret(rawHeaders: readonly string[], secret: string): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() !== nodeCallSecretHeader) kept.push(name, value);
  }
  return [...kept, nodeCallSecretHeader, secret];
}
