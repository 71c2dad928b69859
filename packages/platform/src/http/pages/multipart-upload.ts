// Reads the only file of a multipart form as a stream. The names of field and file are ignored.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { AppError, because, verbatim } from '@srs-stack/contract';

/** Bytes to buffer while the disk is slow. */
const readAheadBytes = 256 * 1024;
/** Maximum number of form fields beside the file. Clients send a token or nothing. */
const maxFields = 8;
/** Longest value of a form field, bytes. */
const maxFieldBytes = 4_096;

/** Resolves with the result of `receive`. For an incomplete or empty form, waits for `receive` and throws `uploadIncomplete`. */
export async function receiveMultipart<T>(
  request: IncomingMessage,
  receive: (body: Readable) => Promise<T>,
): Promise<T> {
  const parser = openParser(request);
  return new Promise<T>((resolve, reject) => {
    let received: Promise<T> | undefined;
    let current: Readable | undefined;
    const fail = (error: unknown) => {
      const reason =
        error instanceof AppError ? error : new AppError('uploadIncomplete', verbatim((error as Error).message));
      current?.destroy(reason);
      request.unpipe(parser);
      // Discards further data from the client, so that the client can read the response.
      request.resume();
      // Rejects after `receive` has removed the partial file.
      Promise.allSettled([received]).then(() => reject(reason), reject);
    };
    parser.on('file', (_field, file) => {
      if (received) {
        file.resume();
        return;
      }
      current = file;
      file.on('limit', () => fail(new AppError('uploadTooLarge')));
      received = receive(file);
      received.catch(fail);
    });
    parser.on('error', fail);
    parser.on('finish', () => {
      if (received) received.then(resolve, fail);
      else fail(new AppError('uploadIncomplete', because('upload.no-file')));
    });
    request.on('aborted', () => fail(new AppError('uploadIncomplete', because('upload.cut'))));
    request.on('error', fail);
    request.on('close', () => {
      if (!request.complete) fail(new AppError('uploadIncomplete', because('upload.cut')));
    });
    // The client may have disconnected before this listener was added.
    if (request.destroyed && !request.complete) fail(new AppError('uploadIncomplete', because('upload.cut')));
    request.pipe(parser);
  });
}

function openParser(request: IncomingMessage): Busboy {
  try {
    return new Busboy({
      headers: request.headers as BusboyHeaders,
      fileHwm: readAheadBytes,
      highWaterMark: readAheadBytes,
      limits: { files: 1, fields: maxFields, fieldSize: maxFieldBytes },
    });
  } catch (error) {
    throw new AppError('uploadIncomplete', verbatim((error as Error).message), { cause: error });
  }
}
