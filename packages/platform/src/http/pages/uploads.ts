// Uploads of media files: the multipart call of existing clients, and resumable uploads (tus 1.0.0). Bodies are streamed to disk. The
// upload libraries are loaded at the first upload.
import { AppError, because, resumableUploadPath, uploadPath } from '@srs-stack/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Sessions } from '../../access/sessions.ts';
import type { MediaLibrary } from '../../files/media-library.ts';
import { anyMethod, sendSuccess } from '../wire/wire-format.ts';
import { boundaryOf } from './form-start.ts';
import { createFormTokens } from './form-token.ts';
import type { ResumableUploads } from './resumable-uploads.ts';

const uploadStallMs = 60_000;

export interface UploadsOptions {
  readonly library: Pick<MediaLibrary, 'admit' | 'guard' | 'receive' | 'takeOver'>;
  readonly partialFolder: string;
  readonly sessions: Pick<Sessions, 'isValidToken'>;
}

export function registerUploads(app: FastifyInstance, options: UploadsOptions): void {
  const { library } = options;
  const requireFormToken = createFormTokenCheck(options.sessions);
  const resumableUploads = createLateResumableUploads(options);
  const receive = async (request: FastifyRequest) => {
    if (request.awaitsFormToken) await requireFormToken(request);
    const name = (request.params as { '*': string })['*'];
    await library.admit(name, announcedBytes(request));
    const { receiveMultipart } = await import('./multipart-upload.ts');
    return receiveMultipart(request.raw, (body) => library.receive(name, body));
  };

  app.register(async (scope) => {
    // The handlers read the body themselves.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.addHook('onRequest', cutWhenStalled);

    scope.route({
      method: ['POST', 'PUT'],
      url: `${uploadPath}*`,
      config: { access: 'credential-in-form', isUpload: true, takesPageCookie: true },
      handler: async (request, reply) => {
        try {
          const { uuid, target } = await receive(request);
          return sendSuccess(request, reply, { uuid, target });
        } catch (error) {
          // Reads the rest of the body, which would block the next call on this connection.
          request.raw.resume();
          throw error;
        }
      },
    });

    for (const url of [resumableUploadPath, `${resumableUploadPath}/*`]) {
      scope.route({
        method: anyMethod.filter((method) => method !== 'PUT'),
        url,
        config: { access: 'credential-in-query', isUpload: true },
        handler: async (request, reply) => {
          const uploads = await resumableUploads();
          reply.hijack();
          await uploads.handle(request.raw, reply.raw).catch((error: Error) => reply.raw.destroy(error));
        },
      });
    }
  });
}

function createFormTokenCheck(sessions: UploadsOptions['sessions']): (request: FastifyRequest) => Promise<void> {
  const formTokens = createFormTokens();
  return async (request) => {
    const boundary = boundaryOf(request.headers['content-type']);
    if (boundary === undefined) throw new AppError('tokenInvalid', because('session.missing'));
    const token = await formTokens.read(request.raw, boundary);
    if (!sessions.isValidToken(token)) throw new AppError('tokenInvalid', because('session.ended'));
  };
}

/** Loads the library at the first upload. A failed import is retried at the next upload. */
function createLateResumableUploads({ library, partialFolder }: UploadsOptions): () => Promise<ResumableUploads> {
  let resumable: Promise<ResumableUploads> | undefined;
  return async () => {
    resumable ??= import('./resumable-uploads.ts').then(({ createResumableUploads }) =>
      createResumableUploads({ library, folder: partialFolder }),
    );
    return resumable.catch((error) => {
      resumable = undefined;
      throw error;
    });
  };
}

function cutWhenStalled({ raw }: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const { socket } = raw;
  const cut = () => raw.destroy();
  socket.setTimeout(uploadStallMs, cut);
  raw.once('close', () => {
    socket.setTimeout(0);
    socket.off('timeout', cut);
  });
  done();
}

/** Size of the body, bytes. The few hundred bytes of multipart framing are negligible. */
function announcedBytes(request: FastifyRequest): number | undefined {
  const length = request.headers['content-length'];
  if (length === undefined) return undefined;
  const bytes = Number(length);
  if (!Number.isSafeInteger(bytes) || bytes <= 0) throw new AppError('uploadIncomplete', because('upload.empty'));
  return bytes;
}
