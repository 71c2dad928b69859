// The last tag that a gateway sends for a copied stream: a script tag with the end reason. Metadata tags differ, because they start with
// the marker of a string (AMF0 §2.4).
import { tagType } from '@srs-stack/media/containers/flv/flv-format.ts';
import { toFlvTag } from '@srs-stack/media/containers/flv/flv-muxer.ts';
import type { StreamEndReason } from '../hub/stream-reader.ts';

const mark = 'copy-end:';
const reasons = {
  unpublished: true,
  kicked: true,
  replaced: true,
  timeout: true,
  error: true,
  shutdown: true,
} satisfies Record<StreamEndReason, true>;

/** Returns the complete tag. */
export function writeCopyEnd(reason: StreamEndReason): Buffer {
  return toFlvTag({ type: tagType.script, timestampMs: 0, head: Buffer.from(mark + reason), payload: Buffer.alloc(0) });
}

/** Undefined for other script tags. */
export function parseCopyEnd(body: Buffer): StreamEndReason | undefined {
  const text = body.toString('latin1', 0, 64);
  const reason = text.startsWith(mark) ? text.slice(mark.length) : '';
  return Object.hasOwn(reasons, reason) ? (reason as StreamEndReason) : undefined;
}
