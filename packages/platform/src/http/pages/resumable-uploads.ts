// Resumable uploads (tus 1.0.0) into the library. The id of an upload is the uuid of the file. Loaded at the first upload.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { AppError, type FailureEnvelope, maxUploadBytes, resumableUploadPath } from '@srs-stack/contract';
import { Server } from '@tus/server';
import { NodeRequest, sendNodeResponse } from 'srvx/node';
import type { MediaLibrary } from '../../files/media-library.ts';
import { withDiskFull } from '../../files/upload-guard.ts';
import { PartialFiles } from './partial-files.ts';
import { requestStream } from './request-stream.ts';

export interface ResumableUploads {
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
}

export interface ResumableUploadsOptions {
  readonly library: Pick<MediaLibrary, 'admit' | 'guard' | 'takeOver'>;
  readonly folder: string;
}

export function createResumableUploads({ library, folder }: ResumableUploadsOptions): ResumableUploads {
  const server = new Server({
    path: resumableUploadPath,
    relativeLocation: true,
    maxSize: maxUploadBytes,
    datastore: new PartialFiles(folder, library.guard),
    namingFunction: () => randomUUID(),
    onUploadCreate: async (_request, upload) => {
      await asTusError(() => library.admit(upload.metadata?.filename ?? '', upload.size));
      return {};
    },
    onUploadFinish: async (_request, upload) => {
      await asTusError(() => library.takeOver(join(folder, upload.id), upload.metadata?.filename ?? '', upload.id));
      return {};
    },
    onResponseError: (_request, error) => ('status_code' in error ? error : failureOf(error)),
  });
  return {
    async handle(req, res) {
      const request = new NodeRequest({ req, res });
      let body: ReadableStream | undefined;
      Object.defineProperty(request, 'body', { get: () => (body ??= requestStream(req)) });
      const response = await server.handleWeb(request);
      // With this header, the server would close the connection after refusing an upload. A client that still sends could miss the response
      // (RFC 9112 §9.6). Without the header, the client closes the connection.
      response.headers.delete('connection');
      await sendNodeResponse(res, response);
    },
  };
}

async function asTusError<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw failureOf(error);
  }
}

/** Converts an error to the object that the upload library expects. The body is the failure envelope of every call. */
function failureOf(error: unknown): { status_code: number; body: string } {
  const known = withDiskFull(error);
  const refusal = known instanceof AppError ? known : new AppError('internal');
  const { definition, facts } = refusal;
  const body: FailureEnvelope = { code: definition.code, server: process.pid, data: facts };
  return { status_code: definition.httpStatus, body: JSON.stringify(body) };
}
