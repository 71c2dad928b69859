// SRS rows of several media servers as one list, for programs that use the SRS-compatible API. Metrics are merged; other fields are from
// the server of the stream or client.
import type { MediaServerClient, MediaServerStream } from './media-server.ts';

/** A row of the SRS API. */
export interface RawRow {
  readonly id: string;
  readonly [field: string]: unknown;
}

/** One row per merged stream, with the viewers of all servers. */
export function mergedStreamRows(raw: readonly RawRow[], merged: readonly MediaServerStream[]): RawRow[] {
  const byId = rowsById(raw);
  return merged.flatMap((stream) => {
    const row = byId.get(stream.id);
    if (!row) return [];
    const { isPublished, publisherClientId, clients, sentBytes, details } = stream;
    const publish = {
      ...fieldsOf(row.publish),
      active: isPublished,
      ...(publisherClientId && { cid: publisherClientId }),
    };
    const { viewersByProtocol, slowViewers } = details ?? {};
    const ext = row.ext !== undefined && {
      ext: {
        ...fieldsOf(row.ext),
        ...(viewersByProtocol && { viewersByProtocol }),
        ...(slowViewers !== undefined && { slowViewers }),
      },
    };
    return [{ ...row, clients, send_bytes: sentBytes, publish, ...ext }];
  });
}

/** One row per merged client, which refers to the merged stream. */
export function mergedClientRows(raw: readonly RawRow[], merged: readonly MediaServerClient[]): RawRow[] {
  const byId = rowsById(raw);
  return merged.flatMap(({ id, streamId }) => {
    const row = byId.get(id);
    return row ? [{ ...row, stream: streamId }] : [];
  });
}

/** Rows by id. Two addresses of one server return equal rows, of which the first counts. */
function rowsById(raw: readonly RawRow[]): ReadonlyMap<string, RawRow> {
  return new Map([...raw].reverse().map((row) => [row.id, row]));
}

function fieldsOf(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
