// Links to recordings: playlists, segments, pictures and MP4 files with byte ranges. Open to everybody who knows the uuid, as
// players and existing clients expect; `?download=1` makes a browser save the file.
import { type FileHandle, open } from 'node:fs/promises';
import { AppError, verbatim } from '@srs-stack/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, parseRange } from './byte-range.ts';

type Link =
  | { readonly kind: 'playlist'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly type: string; readonly name: string }
  | { readonly kind: 'elsewhere'; readonly url: string };

interface RecordLinks {
  link(path: string): Promise<Link | undefined>;
}

/** Bytes read from the disk at one time: few system calls for large files. */
const readBytes = 256 * 1024;

export function registerRecordLinks(app: FastifyInstance, prefix: string, records: RecordLinks): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${prefix}*`,
    config: { access: 'none' },
    handler: async (request, reply) => {
      const link = await records.link((request.params as { '*': string })['*']);
      if (!link) throw new AppError('notFound', verbatim('there is no such recording'));
      if (link.kind === 'file') return sendFile(request, reply, link);
      if (link.kind === 'elsewhere') return reply.redirect(link.url);
      return reply
        .header('content-type', 'application/vnd.apple.mpegurl')
        .header('cache-control', 'no-cache')
        .send(link.text);
    },
  });
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  link: Extract<Link, { kind: 'file' }>,
): Promise<FastifyReply> {
  const file = await open(link.path, 'r').catch(() => {
    throw new AppError('notFound', verbatim('the file is not there (yet)'));
  });
  try {
    const { size, mtime } = await file.stat();
    const tag = `"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
    reply.header('content-type', link.type).header('accept-ranges', 'bytes').header('etag', tag);
    reply.header('last-modified', mtime.toUTCString()).header('cache-control', cachingOf(link.type));
    if (request.headers['if-none-match'] === tag) {
      await file.close();
      return reply.code(304).send();
    }
    if ((request.query as { download?: string }).download !== undefined) {
      reply.header('content-disposition', disposition(link));
    }
    const isCurrent = [undefined, tag].includes(request.headers['if-range'] as string | undefined);
    const range = isCurrent ? parseRange(request.headers.range, size) : undefined;
    return sendRange(request, reply, { file, size, range });
  } catch (error) {
    await file.close();
    throw error;
  }
}

async function sendRange(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, size, range }: { file: FileHandle; size: number; range: ByteRange | undefined | 'unsatisfiable' },
): Promise<FastifyReply> {
  if (range === 'unsatisfiable') {
    await file.close();
    return reply.code(416).header('content-range', `bytes */${size}`).send('');
  }
  const { start, end } = range ?? { start: 0, end: size };
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end - 1}/${size}`);
  reply.header('content-length', end - start);
  if (request.method === 'HEAD' || start === end) {
    await file.close();
    return reply.send('');
  }
  // The stream closes the file, whether it was read to its end or the client left.
  return reply.send(file.createReadStream({ start, end: end - 1, highWaterMark: readBytes }));
}

/** Pictures and segments never change; whether an MP4 is still there is asked each time. */
function cachingOf(type: string): string {
  return type === 'video/mp4' ? 'no-cache' : 'private, max-age=3600';
}

/** RFC 6266: a plain name for old clients, the real one beside it. */
function disposition({ path, name }: { path: string; name: string }): string {
  const full = name + path.slice(path.lastIndexOf('.'));
  return `attachment; filename="${full.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(full)}`;
}
