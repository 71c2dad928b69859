// Sends files at the pace of each reader. Limits the number of readers, their memory and their stall time.

import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createHandleShortage } from '@srs-stack/process/handle-shortage.ts';
import type { Logger } from '@srs-stack/process/logger.ts';
import { sendFailure } from '../http/failure-response.ts';
import type { ForwardedResolver } from '../http/forwarded.ts';
import { addressKey } from '../limits/address-key.ts';
import { fileReadBytes, fileTransfers } from '../limits/front-limits.ts';
import { Transfers } from '../limits/transfers.ts';
import { openDataFile } from './data-file.ts';

interface DataFileAnswer {
  readonly status: number;
  /** Flat list, without Content-Length. */
  readonly headers: readonly string[];
  /** Path relative to the data folder. */
  readonly path: string;
  readonly start: number;
  /** End of the range, exclusive. */
  readonly end: number;
}

export interface FileSender {
  /** Sends and closes the stream. Responds with 404 for an unreadable file, with 503 when all places are in use. Never rejects. */
  sendStream(request: IncomingMessage, response: ServerResponse, stream: Readable): Promise<void>;
  /** Responds with 404 when the file is missing or too short. Never rejects. */
  sendDataFile(request: IncomingMessage, response: ServerResponse, answer: DataFileAnswer): Promise<void>;
  count(): number;
}

export interface FileSenderOptions {
  readonly dataDir: string;
  readonly forwarded: ForwardedResolver;
  /** See `readerStallMs`. */
  readonly stallMs: number;
  readonly log: Pick<Logger, 'error'>;
}

export function createFileSender({ dataDir, forwarded, stallMs, log }: FileSenderOptions): FileSender {
  const transfers = new Transfers(fileTransfers);
  const shortage = createHandleShortage(log);

  const sendStream: FileSender['sendStream'] = async (request, response, stream) => {
    const failure = isOpening(stream) ? await failureOfOpening(stream) : undefined;
    if (failure || response.destroyed) {
      stream.destroy();
      refuse(response, shortage.report(failure) ? 'serverBusy' : 'notFound');
      return;
    }
    const transfer = transfers.admit(addressKey(forwarded(request).for), () => response.destroy());
    if (!transfer) {
      stream.destroy();
      refuse(response, 'serverBusy');
      return;
    }
    const stall = setTimeout(() => response.destroy(), stallMs);
    stream.on('data', () => {
      stall.refresh();
      transfer.progress();
    });
    // When the reader has disconnected or the file was removed, only this response ends.
    await pipeline(stream, response).catch(() => response.destroy());
    clearTimeout(stall);
    transfer.leave();
  };

  return {
    sendStream,
    count: () => transfers.count,
    async sendDataFile(request, response, answer) {
      let failure: unknown;
      const bytes = await openBytes(dataDir, answer).catch((error: unknown) => {
        failure = error;
      });
      if (!bytes || response.destroyed) {
        bytes?.destroy();
        sendFailure(response, shortage.report(failure) ? 'serverBusy' : 'notFound');
        return;
      }
      response.statusCode = answer.status;
      for (let at = 0; at + 1 < answer.headers.length; at += 2) {
        response.appendHeader(answer.headers[at] as string, answer.headers[at + 1] as string);
      }
      response.setHeader('Content-Length', answer.end - answer.start);
      await sendStream(request, response, bytes);
    },
  };
}

function refuse(response: ServerResponse, failure: 'serverBusy' | 'notFound'): void {
  if (response.headersSent || response.destroyed) return;
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  sendFailure(response, failure);
}

function isOpening(stream: Readable): boolean {
  return 'pending' in stream && stream.pending === true;
}

/** Resolves with undefined when the file is open. */
async function failureOfOpening(file: Readable): Promise<unknown> {
  try {
    await once(file, 'open');
  } catch (error) {
    return error;
  }
  return undefined;
}

/** Undefined when the file must not be served or is shorter than the range. */
async function openBytes(dataDir: string, { path, start, end }: DataFileAnswer): Promise<Readable | undefined> {
  const file = await openDataFile(dataDir, path);
  if (!file) return undefined;
  const { size } = await file.stat();
  if (size >= end && start < end) return file.createReadStream({ start, end: end - 1, highWaterMark: fileReadBytes });
  await file.close();
  return size >= end ? Readable.from([]) : undefined;
}
