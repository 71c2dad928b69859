// Forwards calls from control planes of other nodes to the control plane of this node. The internal port authenticates callers by
// certificate. Calls are forwarded with this node's secret.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { nodeCallPrefix, nodeCallSecretHeader } from '@srs-stack/contract/node-calls.ts';
import type { PlatformProxy } from './platform-proxy.ts';

export interface NodeCallsOptions {
  readonly proxy: Pick<PlatformProxy, 'forward'>;
  readonly secret: string;
}

/** Responds with 404 to paths that other nodes do not use. */
export function createNodeCalls({ proxy, secret }: NodeCallsOptions) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const [pathname = ''] = (request.url ?? '').split('?', 1);
    // The control plane must resolve exactly the checked path, so paths with `..` or escapes are refused.
    if (!pathname.startsWith(nodeCallPrefix) || pathname.includes('..') || pathname.includes('%')) {
      response.writeHead(404).end();
      return;
    }
    request.rawHeaders = withSecret(request.rawHeaders, secret);
    proxy.forward(request, response, pathname);
  };
}

function withSecret(rawHeaders: readonly string[], secret: string): string[] {
  const kept: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (name.toLowerCase() !== nodeCallSecretHeader) kept.push(name, value);
  }
  return [...kept, nodeCallSecretHeader, secret];
}
