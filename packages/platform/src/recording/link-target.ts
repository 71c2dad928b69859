// The target of a link to a recording: `record-link.ts` and the cloud resolve it, `http/pages/record-links.ts` sends it.
import type { Readable } from 'node:stream';
import type { PeerRequest, PeerResponse } from './listing/record-peers.ts';

export type LinkTarget = LocalTarget | ElsewhereTarget | ObjectTarget | NodeTarget;

/** Content on this server. */
export type LocalTarget = { readonly kind: 'playlist'; readonly text: string } | FileTarget;

export interface FileTarget {
  readonly kind: 'file';
  readonly path: string;
  readonly type: string;
  /** File name for downloads, without extension. */
  readonly name: string;
}

/** Redirect to another address. */
export interface ElsewhereTarget {
  readonly kind: 'elsewhere';
  readonly url: string;
}

/** An MP4 that exists only in a bucket. */
export interface ObjectTarget {
  readonly kind: 'object';
  readonly type: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  /** `end` is exclusive. */
  read(range: { start: number; end: number }, signal: AbortSignal): Promise<Readable>;
  /** A link to the bucket; undefined when this server sends the object. */
  direct(saveAs: string | undefined): Promise<string | undefined>;
}

/** Content on another node, which produces the response. */
export interface NodeTarget {
  readonly kind: 'node';
  /** @param query query of the link. Throws `nodeAway`, `serverBusy`. */
  ask(query: string, request: PeerRequest): Promise<PeerResponse>;
}
