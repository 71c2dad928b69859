// What a link to a recording leads to, as `record-link.ts` and the cloud find it and `http/pages/record-links.ts` answers it.
import type { Readable } from 'node:stream';
import type { PeerAnswer, PeerRequest } from './listing/record-peers.ts';

export type LinkTarget = LocalTarget | ElsewhereTarget | ObjectTarget | NodeTarget;

/** What this server has itself. */
export type LocalTarget = { readonly kind: 'playlist'; readonly text: string } | FileTarget;

export interface FileTarget {
  readonly kind: 'file';
  readonly path: string;
  readonly type: string;
  /** To save it by, without its ending. */
  readonly name: string;
}

/** Another address has it. */
export interface ElsewhereTarget {
  readonly kind: 'elsewhere';
  readonly url: string;
}

/** An MP4 that only a bucket has. */
export interface ObjectTarget {
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

/** What another node has, and answers itself. */
export interface NodeTarget {
  readonly kind: 'node';
  /** @param query of the link. Throws `nodeAway`, `serverBusy`. */
  ask(query: string, request: PeerRequest): Promise<PeerAnswer>;
}
