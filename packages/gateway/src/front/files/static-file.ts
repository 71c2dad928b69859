// Sends one file. Supports conditional and range requests, and precompressed files.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { SendOptions, SendResult } from '@fastify/send';
import type { FileSender } from './file-sender.ts';

/** Extensions of precompressed files, best first. */
const encodings = [
  { token: 'br', suffix: '.br' },
  { token: 'gzip', suffix: '.gz' },
] as const;

/**
 * Adds headers to the headers that are already set.
 * @param path URL path below `options.root`.
 * @returns false when the file does not exist. The response is then unchanged.
 */
export async function sendStaticFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  options: SendOptions & { readonly sender: Pick<FileSender, 'sendStream'> },
): Promise<boolean> {
  const { default: send } = await import('@fastify/send');
  const { sender, ...sendOptions } = options;
  const accepted = String(request.headers['accept-encoding'] ?? '');
  for (const { token, suffix } of encodings) {
    if (!accepted.includes(token)) continue;
    const result = await send(request, path + suffix, sendOptions);
    if (!isAnswer(result)) continue;
    response.setHeader('Content-Encoding', token);
    response.setHeader('Content-Type', contentTypeOf(send.mime.getType(path)));
    return respond({ request, response, sender }, result, ['content-type']);
  }
  const result = await send(request, path, sendOptions);
  return isAnswer(result) && respond({ request, response, sender }, result, []);
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly sender: Pick<FileSender, 'sendStream'>;
}

/** True for the file, and for the status of a failed precondition (412) or range (416). */
function isAnswer(result: SendResult): boolean {
  return result.type === 'file' || result.statusCode === 412 || result.statusCode === 416;
}

async function respond(
  { request, response, sender }: Exchange,
  result: SendResult,
  ownHeaders: readonly string[],
): Promise<boolean> {
  response.setHeader('Vary', 'Accept-Encoding');
  for (const [name, value] of Object.entries(result.headers)) {
    if (!ownHeaders.includes(name.toLowerCase())) response.setHeader(name, value);
  }
  response.statusCode = result.statusCode;
  if (request.method === 'HEAD') {
    // Ignores errors, because the file may still be opening.
    result.stream.on('error', () => undefined).destroy();
    response.end();
    return true;
  }
  await sender.sendStream(request, response, result.stream);
  return true;
}

function contentTypeOf(type: string | null): string {
  if (type === null) return 'application/octet-stream';
  return /^text\/|javascript$|json$/.test(type) ? `${type}; charset=utf-8` : type;
}
