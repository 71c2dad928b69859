// The target of a link to a recording, e.g. a local file, a redirect or an object in a bucket.
import type { Readable } from 'node:stream';
import type { PeerRequest, PeerResponse } from './listing/record-peers.ts';

export type LinkTarget = LocalTarget | ElsewhereTarget | ObjectTarget | NodeTarget;

/** Content on this server. */
export type LocalTarget = { readonly kind: 'playlist'; readonly text: string } | FileTarget;

export interface FileTarget {
  readonly kind: 'file';
  readonly path: string;
  readonly type: string;
  readonly name: string;
}

/** A redirect to another address. */
export interface ElsewhereTarget {
  readonly kind: 'elsewhere';
  readonly url: string;
}

/** An MP4 in a bucket that this server does not have on its disk. */
export interface ObjectTarget {
  readonly kind: 'object';
  readonly type: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly etag: string;
  readonly modifiedMs: number;
  /** `end` is exclusive. */
  read(range: { start: number; end: number }, signal: AbortSignal): Promise<Readable>;
  /** Link to the bucket; undefined if this server must send the object. */
  direct(saveAs: string | undefined): Promise<string | undefined>;
}

/** Content on another node, which produces the response. */
export interface NodeTarget {
  readonly kind: 'node';
  /** @param query query of the link. Throws `nodeAway` or `serverBusy`. */
  ask(query: string, request: PeerRequest): Promise<PeerResponse>;
}
