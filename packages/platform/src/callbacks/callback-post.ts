// Posts one body to a callback target. Always resolves, with the response or the failure. Follows no redirects and never retries. Does not
// verify certificates, because targets are often the operator's own machines.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import { AppError } from '@srs-stack/contract';
import { request as httpRequest } from '@srs-stack/process/node-http.ts';
import { guardedLookup, RefusedAddress } from '../network/guarded-lookup.ts';
import { maxResponseBytes } from './callback-limits.ts';
import type { CallbackResponse } from './callback-verdict.ts';
import { hostOf, parseTarget } from './target-address.ts';

interface PostOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export type PostCallback = (target: string, body: string, options: PostOptions) => Promise<CallbackResponse>;

class ResponseTooLong extends Error {}

export const postCallback: PostCallback = async (target, body, { timeoutMs, signal: stop }) => {
  const timeout = AbortSignal.timeout(Math.max(1, Math.round(timeoutMs)));
  const signal = AbortSignal.any([timeout, stop]);
  try {
    const response = await send(parseTarget(target), body, signal);
    return { kind: 'response', status: response.statusCode ?? 0, text: await readText(response) };
  } catch (error) {
    return failureOf(error, timeout.aborted);
  }
};

function send(url: URL, body: string, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = open(url, Buffer.byteLength(body), signal);
    request.once('error', reject);
    request.once('response', resolve);
    request.end(body);
  });
}

function open(url: URL, length: number, signal: AbortSignal): ClientRequest {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  const credentials = url.username ? { auth: `${decoded(url.username)}:${decoded(url.password)}` } : {};
  const options = {
    method: 'POST',
    host,
    port: url.port || (isSecure ? 443 : 80),
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, 'content-type': 'application/json', 'content-length': length },
    agent: false as const,
    lookup: guardedLookup,
    signal,
    ...credentials,
  };
  if (!isSecure) return httpRequest(options);
  return httpsRequest({ ...options, rejectUnauthorized: false, ...(isIP(host) ? {} : { servername: host }) });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function readText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxResponseBytes)
      throw new ResponseTooLong(`the response of the target is longer than ${maxResponseBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function failureOf(error: unknown, isTimeout: boolean): CallbackResponse {
  const { message, code = '' } = error as NodeJS.ErrnoException;
  if (error instanceof AppError || error instanceof RefusedAddress)
    return { kind: 'failed', problem: 'address-refused', detail: message };
  if (error instanceof ResponseTooLong) return { kind: 'failed', problem: 'too-long', detail: message };
  if (isTimeout) return { kind: 'failed', problem: 'timeout', detail: 'the target did not respond in time' };
  const isTls = /^(?:ERR_SSL|ERR_TLS|EPROTO)/.test(code);
  return {
    kind: 'failed',
    problem: isTls ? 'tls' : 'unreachable',
    detail: `${isTls ? 'no secure connection to' : 'no connection to'} the target (${code || message})`,
  };
}
