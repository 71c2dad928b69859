// The interface of the cloud for recording: an object bucket (DVR) and video on demand (VoD). Implemented by `tencent/`.
import { type CloudProblemKind, type RefusalDetail, type RemuxTask, verbatim } from '@srs-stack/contract';

export interface CloudCredentials {
  readonly secretId: string;
  readonly secretKey: string;
  readonly token?: string;
}

export interface ObjectPlace {
  readonly bucket: string;
  readonly region: string;
  readonly key: string;
}

/** Content of an upload: a file on disk, or a short text. */
export type ObjectBody = { readonly path: string; readonly sizeBytes: number } | { readonly text: string };

export interface VodApplication {
  readonly id: number;
  readonly storageRegion: string;
  /** Template that remuxes to MP4 without transcoding; 0 when the account has none. */
  readonly remuxDefinition: number;
  readonly domain: string;
}

/** Authorization to upload one media file: its playlist, and its segments in the same folder. */
export interface UploadSession {
  readonly key: string;
  readonly bucket: string;
  readonly region: string;
  readonly playlistKey: string;
  readonly credentials: CloudCredentials;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

export interface Cloud {
  /** App id of the account, a part of its bucket names. Rejects with `credentials` for wrong keys. */
  identify(credentials: CloudCredentials): Promise<string>;
  /** Creates the bucket if it does not exist. Anyone may read objects, also from other web pages; only the account may list objects. */
  prepareBucket(credentials: CloudCredentials, place: Omit<ObjectPlace, 'key'>): Promise<void>;
  /** Finds or creates the application of this name. */
  prepareVod(credentials: CloudCredentials, name: string): Promise<VodApplication>;
  putObject(
    credentials: CloudCredentials,
    object: ObjectPlace & { readonly body: ObjectBody; readonly contentType: string },
    signal: AbortSignal,
  ): Promise<void>;
  objectUrl(place: ObjectPlace): string;
  /** @param medium file name, and a mark that the cloud returns in search results. */
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
  /** Finds a media file by its mark. Ignores files created before the given time, with a margin for clock differences. */
  findMedium(
    credentials: CloudCredentials,
    applicationId: number,
    wanted: { mark: string; since: Date },
  ): Promise<{ fileId: string; mediaUrl: string } | undefined>;
  startRemux(
    credentials: CloudCredentials,
    medium: { applicationId: number; fileId: string; definition: number },
  ): Promise<string>;
  /** Undefined while the task is running. Rejects with `refused` when the task failed. */
  readRemux(credentials: CloudCredentials, applicationId: number, taskId: string): Promise<RemuxTask | undefined>;
}

/** An error of the cloud with a message for operators. */
export class CloudError extends Error {
  readonly kind: CloudProblemKind;
  readonly code: string;
  /** Message that the console translates. */
  readonly reason: RefusalDetail;
  /** @param detail message key with values, or the cloud's own message. */
  constructor(kind: CloudProblemKind, code: string, detail: string | RefusalDetail, options?: ErrorOptions) {
    const reason = typeof detail === 'string' ? verbatim(detail) : detail;
    super(reason.text, options);
    this.name = 'CloudError';
    this.reason = reason;
    this.kind = kind;
    this.code = code;
  }
}
