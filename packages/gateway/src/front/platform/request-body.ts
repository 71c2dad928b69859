// Decides how the body of a proxied request is forwarded: complete for calls, as a stream for uploads.
import type { IncomingMessage } from 'node:http';
import { maxJsonBodyBytes } from '@srs-stack/contract/limits.ts';

/** Uploads for virtual live streams. The size is limited only by the disk and by the quota of the control plane. */
const uploadPrefix = /^\/terraform\/v1\/ffmpeg\/vlive\/uploads?(?:\/|$)/;
/** Up to this size, an upload request is forwarded as a call, bytes. The calls before and after an upload are smaller. */
const wholeUploadBytes = 64 * 1024;

export type RequestBody =
  | { readonly kind: 'none' | 'call' | 'too-large' }
  /** `sizeBytes` is undefined for a chunked body. */
  | { readonly kind: 'upload'; readonly sizeBytes: number | undefined };

export function bodyOf(request: IncomingMessage, pathname: string): RequestBody {
  const length = request.headers['content-length'];
  if (length === undefined && request.headers['transfer-encoding'] === undefined) return { kind: 'none' };
  const sizeBytes = length === undefined ? undefined : Number(length);
  if (sizeBytes === 0) return { kind: 'none' };
  const isSmall = sizeBytes !== undefined && sizeBytes <= wholeUploadBytes;
  if (uploadPrefix.test(pathname) && !isSmall) return { kind: 'upload', sizeBytes };
  return { kind: sizeBytes !== undefined && sizeBytes > maxJsonBodyBytes ? 'too-large' : 'call' };
}
