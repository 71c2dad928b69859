// Answers of the media paths that are not media. A player on another site may read them (CORS), and they are never cached.
import type { ServerResponse } from 'node:http';

/** Sent with everything below a media path: the five CORS headers of all answers of the product, media itself included. */
export const openHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': '*',
  'Access-Control-Allow-Headers': '*',
  'Access-Control-Expose-Headers': '*',
  'Access-Control-Allow-Credentials': 'true',
  'Cache-Control': 'no-store',
} as const;

export interface Failure {
  readonly status: 400 | 403 | 404 | 405 | 415 | 503;
  /** Stable word for programs. */
  readonly name: string;
  /** English sentence for people. */
  readonly message: string;
}

export function sendFailure(response: ServerResponse, { status, name, message }: Failure): void {
  const body = toBody({ name, message });
  const allow = status === 405 ? { Allow: 'GET, HEAD, OPTIONS' } : {};
  response.writeHead(status, {
    ...openHeaders,
    ...allow,
    'Content-Type': 'application/json',
    'Content-Length': body.length,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** The same on a socket that has left its HTTP server (upgrade requests). */
export function toRawFailure({ status, name, message }: Failure): string {
  const body = toBody({ name, message });
  const head = `HTTP/1.1 ${status} ${name}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
  return `${head}Connection: close\r\n\r\n${body}`;
}

function toBody(failure: { name: string; message: string }): Buffer {
  return Buffer.from(JSON.stringify(failure));
}

/** What a viewer reads who could get nothing of a stream: its sound cannot be converted. */
export function soundUnsupported(codec: string): string {
  return `the sound of this stream is ${codec}, which cannot be converted: publish AAC, MP3 or Opus`;
}
