// How the body of a proxied request travels: small ones whole, large ones as a bounded stream, uploads as they come.
import type { IncomingMessage } from 'node:http';
import { maxJsonBodyBytes } from '../contract-subset.ts';
import { bodyTimeoutMs, lingerMs, wholeBodyBytes } from './front-limits.ts';

/** Files of virtual live streams: as large as the operator's disk allows, the control plane sets the quota. */
const uploadPrefix = /^\/terraform\/v1\/ffmpeg\/vlive\/uploads?(?:\/|$)/;

/** The client sent more than a JSON body may have. */
export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

export type RequestBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly sizeBytes: number }
  /** `sizeBytes` is undefined for a chunked body. */
  | { readonly kind: 'stream'; readonly sizeBytes: number | undefined }
  | { readonly kind: 'upload'; readonly sizeBytes: number | undefined }
  | { readonly kind: 'too-large' };

export function bodyOf(request: IncomingMessage, pathname: string): RequestBody {
  const length = request.headers['content-length'];
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return { kind: 'none' };
  const sizeBytes = length === undefined ? undefined : Number(length);
  if (sizeBytes === 0) return { kind: 'none' };
  if (sizeBytes !== undefined && sizeBytes <= wholeBodyBytes) return { kind: 'whole', sizeBytes };
  if (uploadPrefix.test(pathname)) return { kind: 'upload', sizeBytes };
  if (sizeBytes !== undefined && sizeBytes > maxJsonBodyBytes) return { kind: 'too-large' };
  return { kind: 'stream', sizeBytes };
}

/** Collects a body whose length is announced and small; `done` is not called when the client leaves before its end. */
export function readWhole(request: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  const deadline = setTimeout(() => request.destroy(), bodyTimeoutMs);
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  request.on('close', () => clearTimeout(deadline));
}

/**
 * The body chunk by chunk, at the reader's pace. Leaving early does not cut the client, which still gets an answer.
 * @throws BodyTooLargeError beyond `maxBytes`.
 */
export async function* streamBody(request: IncomingMessage, maxBytes: number): AsyncGenerator<Buffer> {
  const deadline = setTimeout(() => request.destroy(), bodyTimeoutMs);
  let size = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new BodyTooLargeError(`more than ${maxBytes} bytes`);
      yield chunk;
    }
  } finally {
    clearTimeout(deadline);
  }
}

/** After an early answer: what the client still sends is thrown away for a moment, then the connection is cut. */
export function discardRest(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return;
  request.resume();
  const timer = setTimeout(() => {
    if (!request.complete) request.destroy();
  }, lingerMs);
  request.once('close', () => clearTimeout(timer));
}
