// HTTP requests to cameras: only to allowed addresses, with limits on time and size, without redirects. Supports HTTP Digest, and Basic
// over HTTPS.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Credentials } from '@srs-stack/media/protocols/rtsp/credentials.ts';
import { authorize, chooseChallenge } from '@srs-stack/media/protocols/rtsp/digest.ts';
import { request as requestHttp } from '@srs-stack/process/node-http.ts';
import { guardedLookup, isForbiddenHost, RefusedAddress } from '../../network/guarded-lookup.ts';

/** Timeout of a complete response, milliseconds. Cameras usually respond within a second, but more slowly while starting. */
const answerWithinMs = 5_000;
/** Maximum size of an ONVIF response, bytes. A camera with 64 profiles sends half of this. */
export const maxSoapBytes = 1024 * 1024;
/** Maximum size of a camera image, bytes. */
export const maxImageBytes = 4 * 1024 * 1024;

export class CameraResponseTooLarge extends Error {}

export interface CameraRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Credentials for HTTP authentication. Basic reveals the password on the network, so plain HTTP uses only Digest. */
  readonly credentials?: Credentials | undefined;
  readonly acceptsAnyCertificate: boolean;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

export interface CameraResponse {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Sends a request. After a 401 response, sends the request again with credentials. Rejects if the camera is unreachable, or if a response
 * is too large or too slow.
 */
export async function sendCameraRequest(cameraRequest: CameraRequest): Promise<CameraResponse> {
  const first = await send(cameraRequest, undefined);
  const { url, method, credentials } = cameraRequest;
  const challenge = first.status === 401 ? chooseChallenge(first.challenges) : undefined;
  if (!challenge || !credentials || (challenge.scheme === 'basic' && url.protocol !== 'https:')) return first;
  const clientNonce = randomBytes(8).toString('hex');
  const proof = authorize(challenge, credentials, {
    method,
    url: `${url.pathname}${url.search}`,
    count: 1,
    clientNonce,
  });
  return send(cameraRequest, proof);
}

async function send(
  { url, method, headers = {}, body = '', acceptsAnyCertificate, maxBytes, signal: ended }: CameraRequest,
  proof: string | undefined,
): Promise<CameraResponse & { readonly challenges: readonly string[] }> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isForbiddenHost(host))
    throw new RefusedAddress(`${host} is a link-local or special address, which is never contacted`);
  const signal = AbortSignal.any([ended, AbortSignal.timeout(answerWithinMs)]);
  const options = {
    ...{ method, signal, agent: false, lookup: guardedLookup, rejectUnauthorized: !acceptsAnyCertificate },
    headers: {
      ...{ ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' },
      ...(proof !== undefined && { authorization: proof }),
    },
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options);
    outgoing.once('response', resolve).once('error', reject).end(body);
  });
  const challenge = response.headersDistinct['www-authenticate'] ?? [];
  return { status: response.statusCode ?? 0, body: await readAll(response, maxBytes), challenges: challenge };
}

async function readAll(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    size += part.length;
    // Leaving the loop destroys the connection.
    if (size > maxBytes) throw new CameraResponseTooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
