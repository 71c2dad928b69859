// Links to recordings: playlists, segments, posters and MP4 files with byte ranges. As existing clients expect, anyone who knows the uuid
// can open a link, unless an access rule restricts the stream. `?download=1` makes a browser save the file. The control plane authorizes;
// the gateway can send the bytes.
import { type FileHandle, open } from 'node:fs/promises';
import type { IncomingHttpHeaders } from 'node:http';
import { isAbsolute, relative, sep } from 'node:path';
import { text } from 'node:stream/consumers';
import { AppError, fileHandoverHeader, fileOfferHeader, verbatim, writeFileHandover } from '@srs-stack/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { FileTarget, LinkTarget, NodeTarget, ObjectTarget } from '../../recording/link-target.ts';
import { clientAddress, pathPrefix } from '../wire/client-address.ts';
import { type FileVersion, judgeConditions } from '../wire/conditional-request.ts';

interface RecordLinks {
  /** The stream whose access rule applies to the link. Without this function, all links are open. */
  sourceOf?(path: string): { readonly app: string; readonly stream: string } | undefined;
  link(path: string): Promise<LinkTarget | undefined>;
}

export interface RecordLinksOptions {
  readonly prefix: string;
  readonly records: RecordLinks;
  /** Authentication that callers need; none if absent. */
  readonly access?: 'node' | 'none';
  /** Resolves with the query that authorizes the URLs of a playlist, or '' if none is needed. Throws when the viewer is refused. */
  readonly admit: (viewer: { app: string; stream: string; ip: string; param: string }) => Promise<string>;
  /** Absolute path. The gateway never sends files outside this folder. */
  readonly dataDir: string;
}

/** Maximum size of a playlist from another node, bytes: a week of two-second segments. */
const maxPlaylistBytes = 32 * 1024 * 1024;
/** Request headers that are forwarded to another node, and response headers that are returned. */
const forwardedHeaders = ['range', 'if-range', 'if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'];
const returnedHeaders = [
  ...['content-type', 'content-length', 'content-range', 'content-disposition', 'accept-ranges', 'etag'],
  ...['last-modified', 'cache-control', 'location'],
];

/** Bytes per read; large, so that large files need few system calls. */
const readBytes = 256 * 1024;

export function registerRecordLinks(
  app: FastifyInstance,
  { prefix, records, admit, dataDir, access = 'none' }: RecordLinksOptions,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${prefix}*`,
    config: { access },
    handler: async (request, reply) => {
      const path = (request.params as { '*': string })['*'];
      const source = records.sourceOf?.(path);
      const query = source ? await admit({ ...source, ip: clientAddress(request), param: queryOf(request) }) : '';
      const link = await records.link(path);
      if (!link) throw new AppError('notFound', verbatim('there is no such recording'));
      if (link.kind === 'file') return sendFile(request, reply, link, dataDir);
      if (link.kind === 'object') return sendObject(request, reply, link);
      const place = { root: pathPrefix(request), query };
      if (link.kind === 'node') return sendFromNode(request, reply, { link, place, limit: maxPlaylistBytes });
      if (link.kind === 'elsewhere') return reply.redirect(addressFor(place, link.url));
      return reply
        .header('content-type', 'application/vnd.apple.mpegurl')
        .header('cache-control', 'no-cache')
        .send(playlistFor(place, link.text));
    },
  });
}

function queryOf({ raw }: FastifyRequest): string {
  const [, ...rest] = (raw.url ?? '').split('?');
  return rest.join('?');
}

interface ViewerPlace {
  readonly root: string;
  readonly query: string;
}

function addressFor({ root, query }: ViewerPlace, address: string): string {
  return (address.startsWith('/') ? root : '') + address + (query === '' ? '' : `?${query}`);
}

/**
 * Adds the access query and the proxy's path prefix to the URLs of a playlist. Players do not add the query themselves. They resolve a path
 * that starts with `/` against the root of the host (RFC 3986 §5.2).
 */
function playlistFor(place: ViewerPlace, playlist: string): string {
  const isAsItIs = place.root === '' && place.query === '';
  return isAsItIs ? playlist : playlist.replace(/^(?!#).+$/gm, (address) => addressFor(place, address));
}

async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  link: FileTarget,
  dataDir: string,
): Promise<FastifyReply> {
  const file = await open(link.path, 'r').catch(() => {
    throw new AppError('notFound', verbatim('this file does not exist: the recording may not be finished yet'));
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

async function sendObject(request: FastifyRequest, reply: FastifyReply, link: ObjectTarget): Promise<FastifyReply> {
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

/**
 * Streams the response of another node at the pace of the client, and aborts when the client disconnects. That node evaluates conditions
 * and range.
 */
async function sendFromNode(
  request: FastifyRequest,
  reply: FastifyReply,
  { link, place, limit }: { link: NodeTarget; place: ViewerPlace; limit: number },
): Promise<FastifyReply> {
  const left = new AbortController();
  reply.raw.once('close', () => left.abort());
  const isDownload = (request.query as { download?: string }).download !== undefined;
  const { status, headers, body } = await link.ask(isDownload ? '?download=1' : '', {
    method: request.method,
    headers: pick(request.headers, forwardedHeaders),
    signal: left.signal,
  });
  for (const [name, value] of Object.entries(pick(headers, returnedHeaders))) {
    reply.header(name, name === 'location' && value.startsWith('/') ? place.root + value : value);
  }
  reply.code(status);
  const isPlaylist = status === 200 && headers['content-type']?.startsWith('application/vnd.apple.mpegurl');
  if (!isPlaylist || (place.root === '' && place.query === '')) return reply.send(body);
  if (Number(headers['content-length'] ?? limit) >= limit) {
    body.destroy();
    throw new AppError('serverBusy');
  }
  return reply.removeHeader('content-length').send(playlistFor(place, await text(body)));
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]] as const] : []));
  return Object.fromEntries(found);
}

function announce(request: FastifyRequest, reply: FastifyReply, file: FileVersion & Omit<FileTarget, 'kind'>) {
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

/** The stream closes the file after the last byte or when the client disconnects. */
function sendRange(reply: FastifyReply, file: FileHandle, start: number, end: number): FastifyReply {
  return reply.send(file.createReadStream({ start, end: end - 1, highWaterMark: readBytes }));
}

function offersToSend({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers[fileOfferHeader] !== undefined;
}

function pathInside(folder: string, path: string): string | undefined {
  const below = relative(folder, path);
  return below === '' || below.startsWith('..') || isAbsolute(below) ? undefined : below.split(sep).join('/');
}

/** Value of `Cache-Control`. An MP4 may be deleted, so clients must check an MP4 at each request. */
function cachingOf(type: string): string {
  return type === 'video/mp4' ? 'no-cache' : 'private, max-age=3600';
}

/** A plain name for old clients, and a UTF-8 name (RFC 6266). */
function disposition({ path, name }: { path: string; name: string }): string {
  const full = name + path.slice(path.lastIndexOf('.'));
  return `attachment; filename="${plainName(full)}"; filename*=UTF-8''${encodeURIComponent(full)}`;
}

function plainName(name: string): string {
  return name.replace(/[^\w.-]/g, '_');
}
