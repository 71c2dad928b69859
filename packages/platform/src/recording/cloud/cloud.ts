// The cloud as recording needs it: an object bucket (DVR) and video on demand (VoD). Fulfilled by `tencent/`.
import { type CloudProblemKind, type RefusalDetail, type RemuxTask, verbatim } from '@srs-stack/contract';

export interface CloudCredentials {
  readonly secretId: string;
  readonly secretKey: string;
  /** Session token; only temporary credentials have one. */
  readonly token?: string;
}

export interface ObjectPlace {
  readonly bucket: string;
  readonly region: string;
  readonly key: string;
}

/** What is uploaded: a file of the disk, or a short text. */
export type ObjectBody = { readonly path: string; readonly sizeBytes: number } | { readonly text: string };

export interface VodApplication {
  readonly id: number;
  readonly storageRegion: string;
  /** Template that makes an MP4 without encoding; 0 when the account has none. */
  readonly remuxDefinition: number;
  readonly domain: string;
}

/** Permission to upload one medium; its segments go beside the playlist. */
export interface UploadSession {
  readonly key: string;
  readonly bucket: string;
  readonly region: string;
  /** Object key of the playlist. */
  readonly playlistKey: string;
  readonly credentials: CloudCredentials;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

export interface Cloud {
  /** Account number of the application. Rejects with `credentials` for wrong keys. */
  identify(credentials: CloudCredentials): Promise<string>;
  /** Makes the bucket unless it is there: private, its objects readable by everybody, for any web page. */
  prepareBucket(credentials: CloudCredentials, place: Omit<ObjectPlace, 'key'>): Promise<void>;
  /** Finds the application of this name, or makes it. */
  prepareVod(credentials: CloudCredentials, name: string): Promise<VodApplication>;
  putObject(
    credentials: CloudCredentials,
    object: ObjectPlace & { readonly body: ObjectBody; readonly contentType: string },
    signal: AbortSignal,
  ): Promise<void>;
  objectUrl(place: ObjectPlace): string;
  /** @param medium its name, and a mark that comes back with what the cloud tells of it. */
  applyUpload(
    credentials: CloudCredentials,
    applicationId: number,
    medium: { name: string; mark: string },
  ): Promise<UploadSession>;
  commitUpload(
    credentials: CloudCredentials,
    applicationId: number,
    sessionKey: string,
  ): Promise<{ fileId: string; mediaUrl: string }>;
  /** The medium with this mark that was made since; undefined when the cloud knows none. */
  findMedium(
    credentials: CloudCredentials,
    applicationId: number,
    wanted: { mark: string; since: Date },
  ): Promise<{ fileId: string; mediaUrl: string } | undefined>;
  /** Resolves with the id of the task. */
  startRemux(
    credentials: CloudCredentials,
    medium: { applicationId: number; fileId: string; definition: number },
  ): Promise<string>;
  /** Undefined while it runs. Rejects with `refused` when it failed. */
  readRemux(credentials: CloudCredentials, applicationId: number, taskId: string): Promise<RemuxTask | undefined>;
}

/** A refusal or failure of the cloud, in words an operator understands. */
export class CloudError extends Error {
  readonly kind: CloudProblemKind;
  /** The cloud's own name for it. */
  readonly code: string;
  /** The message, which the console tells in its language. */
  readonly reason: RefusalDetail;
  /** @param said a reason of the catalogue, or the cloud's own words. */
  constructor(kind: CloudProblemKind, code: string, said: string | RefusalDetail, options?: ErrorOptions) {
    const reason = typeof said === 'string' ? verbatim(said) : said;
    super(reason.text, options);
    this.name = 'CloudError';
    this.reason = reason;
    this.kind = kind;
    this.code = code;
  }
}
