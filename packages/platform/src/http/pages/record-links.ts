// Links to recordings: playlists, segments, pictures and MP4 files with byte ranges. Open to everybody who knows the uuid, as
// players and existing clients expect, unless a rule says who may watch the stream; `?download=1` makes a browser save the file. Every rule is decided here; the bytes of a
// file are left to the gateway where it offers to send them, at the pace of its client.
import { type FileHandle, open } from 'node:fs/promises';
import { isAbsolute, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { AppError, fileHandoverHeader, fileOfferHeader, verbatim, writeFileHandover } from '@srs-stack/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { clientAddress } from '../wire/client-address.ts';
import { type FileVersion, judgeConditions } from '../wire/conditional-request.ts';

type Link =
  | { readonly kind: 'playlist'; readonly text: string }
  | FileLink
  | ObjectLink
  | { readonly kind: 'elsewhere'; readonly url: string };

interface FileLink {
  readonly kind: 'file';
  readonly path: string;
  readonly type: string;
  readonly name: string;
}

/** A file that only a bucket has. */
interface ObjectLink {
  readonly kind: 'object';
  readonly type: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  /** `end` is exclusive. */
  read(range: { start: number; end: number }, signal: AbortSignal): Promise<Readable>;
  /** A link that leads to the bucket; undefined when the server sends it. */
  direct(saveAs: string | undefined): Promise<string | undefined>;
}

interface RecordLinks {
  /** Whose rule holds for the link; without it all are open. */
  sourceOf?(path: string): { readonly app: string; readonly stream: string } | undefined;
  link(path: string): Promise<Link | undefined>;
}

export interface RecordLinksOptions {
  /** Path below which the links are. */
  readonly prefix: string;
  readonly records: RecordLinks;
  /** Resolves with the query that opens what a playlist names, '' where all is open. Throws what turns the viewer away. */
  readonly admit: (viewer: { app: string; stream: string; ip: string; param: string }) => Promise<string>;
  /** Absolute; files outside of it are never left to the gateway. */
  readonly dataDir: string;
}

/** Bytes read from the disk at one time: few system calls for large files. */
const readBytes = 256 * 1024;

export function registerRecordLinks(
  app: FastifyInstance,
  { prefix, records, admit, dataDir }: RecordLinksOptions,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${prefix}*`,
    config: { access: 'none' },
    handler: async (request, reply) => {
      const path = (request.params as { '*': string })['*'];
      const source = records.sourceOf?.(path);
      const query = source ? await admit({ ...source, ip: clientAddress(request), param: queryOf(request) }) : '';
      const link = await records.link(path);
      if (!link) throw new AppError('notFound', verbatim('there is no such recording'));
      if (link.kind === 'file') return sendFile(request, reply, link, dataDir);
      if (link.kind === 'object') return sendObject(request, reply, link);
      if (link.kind === 'elsewhere') return reply.redirect(query === '' ? link.url : `${link.url}?${query}`);
      return reply
        .header('content-type', 'application/vnd.apple.mpegurl')
        .header('cache-control', 'no-cache')
        .send(withQuery(link.text, query));
    },
  });
}

function queryOf({ raw }: FastifyRequest): string {
  const [, ...rest] = (raw.url ?? '').split('?');
  return rest.join('?');
}

/** Players ask for what a playlist names without the query of the playlist (RFC 3986 §5.2). */
function withQuery(playlist: string, query: string): string {
  return query === '' ? playlist : playlist.replace(/^(?!#).+$/gm, `$&?${query}`);
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  link: FileLink,
  dataDir: string,
): Promise<FastifyReply> {
  const file = await open(link.path, 'r').catch(() => {
    throw new AppError('notFound', verbatim('the file is not there (yet)'));
  });
  let isHandedOn = false;
  try {
    const { size, mtime } = await file.stat();
    const etag = `"${size.toString(16)}-${mtime.getTime().toString(16)}"`;
    const verdict = announce(request, reply, { ...link, etag, modifiedMs: mtime.getTime(), size });
    if (!('start' in verdict)) return reply.send(verdict.status === 304 ? undefined : '');
    const { start, end } = verdict;
    const handover = offersToSend(request) ? pathInside(dataDir, link.path) : undefined;
    if (handover !== undefined) {
      return reply.header(fileHandoverHeader, writeFileHandover({ path: handover, start, end })).send('');
    }
    reply.header('content-length', end - start);
    if (request.method === 'HEAD' || start === end) return reply.send('');
    isHandedOn = true;
    return sendRange(reply, file, start, end);
  } finally {
    if (!isHandedOn) await file.close();
  }
}

/** Its bytes come from the bucket, or it is found there. */
async function sendObject(request: FastifyRequest, reply: FastifyReply, link: ObjectLink): Promise<FastifyReply> {
  const { sizeBytes: size, etag, modifiedMs } = link;
  const { download, via } = request.query as { download?: string; via?: string };
  const saveAs = download === undefined ? undefined : plainName(`${link.name}.mp4`);
  const url = via === 'server' ? undefined : await link.direct(saveAs);
  if (url !== undefined) return reply.header('cache-control', 'no-store').redirect(url);
  const verdict = announce(request, reply, { ...link, path: 'index.mp4', etag, modifiedMs, size });
  if (!('start' in verdict)) return reply.send(verdict.status === 304 ? undefined : '');
  const { start, end } = verdict;
  reply.header('content-length', end - start);
  if (request.method === 'HEAD' || start === end) return reply.send('');
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  return reply.send(await link.read({ start, end }, left.signal));
}

/** Everything of the answer but its bytes. */
function announce(request: FastifyRequest, reply: FastifyReply, file: FileVersion & Omit<FileLink, 'kind'>) {
  const { etag, modifiedMs, size, type } = file;
  reply.header('content-type', type).header('accept-ranges', 'bytes').header('etag', etag);
  reply.header('last-modified', new Date(modifiedMs).toUTCString()).header('cache-control', cachingOf(type));
  if ((request.query as { download?: string }).download !== undefined) {
    reply.header('content-disposition', disposition(file));
  }
  const verdict = judgeConditions(request.headers, { etag, modifiedMs, size });
  reply.code(verdict.status);
  if (verdict.status === 416) reply.header('content-range', `bytes */${size}`);
  if (verdict.status === 206) reply.header('content-range', `bytes ${verdict.start}-${verdict.end - 1}/${size}`);
  return verdict;
}

/** The stream closes the file, whether it was read to its end or the client left. */
function sendRange(reply: FastifyReply, file: FileHandle, start: number, end: number): FastifyReply {
  return reply.send(file.createReadStream({ start, end: end - 1, highWaterMark: readBytes }));
}

function offersToSend({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers[fileOfferHeader] !== undefined;
}

/** With slashes, relative to the folder; undefined when it lies elsewhere. */
function pathInside(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? undefined : below.split(sep).join('/');
}

/** Pictures and segments never change; whether an MP4 is still there is asked each time. */
function cachingOf(type: string): string {
  return type === 'video/mp4' ? 'no-cache' : 'private, max-age=3600';
}

/** RFC 6266: a plain name for old clients, the real one beside it. */
function disposition({ path, name }: { path: string; name: string }): string {
  const full = name + path.slice(path.lastIndexOf('.'));
  return `attachment; filename="${plainName(full)}"; filename*=UTF-8''${encodeURIComponent(full)}`;
}

function plainName(name: string): string {
  return name.replace(/[^\w.-]/g, '_');
}
