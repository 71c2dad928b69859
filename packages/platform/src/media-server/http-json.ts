// Sends an HTTP request over a kept-alive connection and expects JSON. Limits time and size.
import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ClusterClientOptions } from '@srs-stack/process/cluster/cluster-tls.ts';
import { request as httpRequest } from '@srs-stack/process/node-http.ts';
import type { HostPort } from './media-server-address.ts';

export interface JsonRequest {
  readonly address: HostPort;
  readonly agent: Agent;
  readonly tls: ClusterClientOptions | undefined;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly timeoutMs: number;
  readonly maxResponseBytes: number;
}

/** Resolves with status and parsed body. Rejects if no complete, valid response arrives in time. */
export function requestJson(options: JsonRequest): Promise<{ status: number; body: unknown }> {
  const { address, agent, tls, method, path, timeoutMs, maxResponseBytes } = options;
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const call = open({ ...address, agent, method, path, signal }, tls, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxResponseBytes)
          call.destroy(new Error(`the response of the media server is larger than ${maxResponseBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        try {
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) });
        } catch (error) {
          reject(new Error(`the media server returned HTTP ${response.statusCode} and no JSON`, { cause: error }));
        }
      });
    });
    call.on('error', reject);
    call.end();
  });
}

function open(
  options: RequestOptions,
  tls: ClusterClientOptions | undefined,
  onResponse: (response: IncomingMessage) => void,
) {
  return tls ? httpsRequest({ ...options, ...tls }, onResponse) : httpRequest(options, onResponse);
}
