// Determines which streams are published at a media server. An SRS edge also reports streams that it only pulls or waits for, with the
// first viewer as publisher. Only the client list shows the difference, and is requested for new or changed rows.
import type { MediaServerClient, MediaServerStream } from './media-server.ts';
import { internalType, isReportedCopy, type RowRole } from './merged-streams.ts';

interface Known {
  readonly publisherClientId: string;
  readonly role: RowRole;
  readonly publishers: number;
}

export class RowRoles {
  #known = new Map<string, Known>();

  /** Whether the client list is needed to determine the roles of these rows. */
  needsClients(streams: readonly MediaServerStream[], isContested: (stream: MediaServerStream) => boolean): boolean {
    return streams.some((stream) => {
      if (isReportedCopy(stream) || (stream.details && !isContested(stream))) return false;
      if (stream.clients === 0 && !stream.isPublished) return false;
      return this.#known.get(stream.id)?.publisherClientId !== stream.publisherClientId;
    });
  }

  /** Updates the roles from streams and clients of one poll. Forgets rows that no longer exist. */
  learn(streams: readonly MediaServerStream[], clients: readonly MediaServerClient[]): void {
    const publishers = new Map<string, Set<string>>();
    const players = new Set<string>();
    for (const { id, streamId, isPublisher, type } of clients) {
      if (!isPublisher || internalType.test(type)) players.add(id);
      else publishers.set(streamId, (publishers.get(streamId) ?? new Set()).add(id));
    }
    const known = new Map<string, Known>();
    for (const stream of streams) {
      const { id, publisherClientId, isPublished } = stream;
      const own = publishers.get(id) ?? new Set<string>();
      // If a player has the publisher's id, the row is a copy: the player is a pull or the first viewer. An SRT or WebRTC publisher may
      // have a different id in the client list. The built-in engine lists only streams with a publisher.
      const isOrigin =
        own.has(publisherClientId) ||
        (!players.has(publisherClientId) && (own.size > 0 || stream.details !== undefined));
      const role = isPublished ? (isOrigin ? 'origin' : 'copy') : 'idle';
      // Counts at most one publisher of the built-in engine, which does not count spare encoders as clients of the stream.
      known.set(id, { publisherClientId, role, publishers: stream.details ? Math.min(own.size, 1) : own.size });
    }
    this.#known = known;
  }

  of(stream: MediaServerStream): Pick<Known, 'role' | 'publishers'> {
    if (!stream.isPublished) return { role: 'idle', publishers: this.#known.get(stream.id)?.publishers ?? 0 };
    if (isReportedCopy(stream)) return { role: 'copy', publishers: 1 };
    const known = this.#known.get(stream.id);
    const isCurrent = known?.publisherClientId === stream.publisherClientId;
    return isCurrent ? known : { role: 'origin', publishers: 1 };
  }
}
