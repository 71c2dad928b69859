// Converts a request body to a web stream for the upload library. Unlike Node's conversion, chunks are not copied.
import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream';

const readAheadBytes = 256 * 1024;

/** Cancelling the stream closes the connection, as in Node's conversion. */
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
