// Request body for a library that only takes web streams. Unlike Node's own conversion, it does not copy chunks.
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';

/** Bytes read ahead of the reader. */
const readAheadBytes = 256 * 1024;

/** The body as a web stream. Cancelling the stream closes the connection, as in Node's own conversion. */
export function requestStream(request: IncomingMessage): ReadableStream<Uint8Array> {
  let isOver = false;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    request.pause();
    request.on('data', (piece: Buffer) => {
      if (isOver) return;
      controller.enqueue(piece);
      if ((controller.desiredSize ?? 0) <= 0) request.pause();
    });
    finished(request, { writable: false }, (error) => {
      if (isOver) return;
      isOver = true;
      if (error) controller.error(error);
      else controller.close();
    });
  };
  const pull = () => {
    request.resume();
  };
  const cancel = (reason?: Error) => {
    isOver = true;
    request.destroy(reason);
  };
  return new ReadableStream({ start, pull, cancel }, new ByteLengthQueuingStrategy({ highWaterMark: readAheadBytes }));
}
