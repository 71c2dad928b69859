// Posts callbacks to the control plane over keep-alive connections. Always resolves: with a response, or with `away` and the reason.
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { PlatformAddress } from '@srs-stack/process/listen-address.ts';
import { Agent, request } from '@srs-stack/process/node-http.ts';
import type { CallbackQuestion } from './callback-body.ts';
import { maxCallbackConnections, maxResponseBytes } from './callback-limits.ts';
import type { CallbackOutcome } from './callback-verdict.ts';

export interface CallbackClient {
  post(path: string, body: CallbackQuestion, timeoutMs: number): Promise<CallbackOutcome>;
  close(): void;
}

export function createCallbackClient(platform: PlatformAddress, secret: string): CallbackClient {
  const agent = new Agent({ keepAlive: true, maxSockets: maxCallbackConnections, scheduling: 'lifo' });
  const headers = { 'content-type': 'application/json', 'x-callback-secret': secret };
  return {
    async post(path, body, timeoutMs) {
      const text = JSON.stringify(body);
      const signal = AbortSignal.timeout(timeoutMs);
      const options = { ...platform, path, agent, method: 'POST', signal, headers };
      try {
        return await exchange(options, text);
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? String(error);
        return signal.aborted
          ? { kind: 'away', timedOut: true, detail: `the control plane did not respond within ${timeoutMs} ms` }
          : { kind: 'away', timedOut: false, detail: `the control plane is unavailable (${code})` };
      }
    },
    close: () => agent.destroy(),
  };
}

/** Makes one HTTP exchange. Retries once if a reused keep-alive connection fails, because the peer may have closed it. */
async function exchange(options: RequestOptions, text: string): Promise<CallbackOutcome> {
  const first = await sendOnce(options, text);
  if (first.ok) return first.outcome;
  if (!first.reusedSocket || options.signal?.aborted) throw first.error;
  const second = await sendOnce(options, text);
  if (second.ok) return second.outcome;
  throw second.error;
}

type Attempt = { ok: true; outcome: CallbackOutcome } | { ok: false; error: unknown; reusedSocket: boolean };

function sendOnce(options: RequestOptions, text: string): Promise<Attempt> {
  return new Promise((resolve) => {
    const outgoing: ClientRequest = request(options);
    const fail = (error: unknown): void => resolve({ ok: false, error, reusedSocket: outgoing.reusedSocket });
    outgoing.once('error', fail);
    outgoing.once('response', (response) => {
      readAnswer(response).then((body) => {
        resolve({ ok: true, outcome: { kind: 'answer', status: response.statusCode ?? 0, body } });
      }, fail);
    });
    outgoing.end(text);
  });
}

async function readAnswer(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponseBytes)
      throw new Error(`the response of the control plane is longer than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
