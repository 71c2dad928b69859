// Draining of a server before a stop: existing connections stay, new publishers are refused. The state belongs to this server, not to the
// shared store. A file in `run/` keeps the state when this process restarts; `npm start` removes the file.
import { readFile, rm } from 'node:fs/promises';
import { AppError, changed, switched } from '@srs-stack/contract';
import { writeFileAtomically } from '@srs-stack/process/atomic-file.ts';
import { z } from 'zod';
import type { Actor } from '../actor.ts';
import { createOneAtATime } from '../concurrency/one-at-a-time.ts';
import type { MediaServer, MediaServerStream } from '../media-server/media-server.ts';
import type { AuditTrail } from '../store/audit-trail.ts';

const drainFile = z.object({ since: z.iso.datetime() });
const ownerOnly = 0o600;

export interface Drain {
  /** Start of the drain, RFC 3339; '' if the server is not draining. */
  since(): string;
  /** Number of connected clients; null while no media server responds. */
  connected(): Promise<{ publishers: number; viewers: number } | null>;
  /** Resolves when the change is in effect. Rejects if the file cannot be written. */
  change(draining: boolean, actor: Actor): Promise<void>;
  onChange(listener: (draining: boolean) => void): void;
  /** Throws `serverDraining` while new publishers are refused. */
  requirePublishing(): void;
}

export interface DrainDeps {
  /** Absolute path. */
  readonly file: string;
  readonly mediaServer: Pick<MediaServer, 'listStreams'>;
  readonly audit: AuditTrail;
  readonly now: () => Date;
}

export async function openDrain({ file, mediaServer, audit, now }: DrainDeps): Promise<Drain> {
  const oneAtATime = createOneAtATime();
  const listeners: ((draining: boolean) => void)[] = [];
  let since = await readSince(file);
  return {
    since: () => since,
    async connected() {
      try {
        return countConnected(await mediaServer.listStreams());
      } catch (error) {
        if (error instanceof AppError) return null;
        throw error;
      }
    },
    change: (draining, actor) =>
      oneAtATime(async () => {
        if (draining === (since !== '')) return;
        const next = draining ? now().toISOString() : '';
        if (draining) await writeFileAtomically(file, `${JSON.stringify({ since: next })}\n`, ownerOnly);
        else await rm(file, { force: true });
        since = next;
        for (const listener of listeners) listener(draining);
        await audit.record('setting-changed', actor, changed('platform.drain', { state: switched(draining) }));
      }),
    onChange: (listener) => listeners.push(listener),
    requirePublishing() {
      if (since !== '') throw new AppError('serverDraining');
    },
  };
}

/** Start of the drain; '' if the file is missing or unreadable. */
async function readSince(file: string): Promise<string> {
  try {
    return drainFile.parse(JSON.parse(await readFile(file, 'utf8'))).since;
  } catch {
    return '';
  }
}

function countConnected(streams: readonly MediaServerStream[]): { publishers: number; viewers: number } {
  const published = streams.filter(({ isPublished }) => isPublished).length;
  const clients = streams.reduce((sum, stream) => sum + stream.clients, 0);
  return { publishers: published, viewers: Math.max(0, clients - published) };
}
