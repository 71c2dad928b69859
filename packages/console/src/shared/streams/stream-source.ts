// Data source of the stream pages: the console's API, or the HTTP API of any SRS. Pages depend only on this.
import type { LiveClient, LiveStream } from '@srs-stack/contract';
import { createContext, type ReactNode, useContext } from 'react';

export interface StreamsResponse {
  /** False while the media server does not respond; the list is then empty. */
  mediaServer: boolean;
  streams: LiveStream[];
}

export interface ClientsResponse {
  clients: LiveClient[];
  /** All streams, including those beyond the list. */
  total: number;
}

/** Key and request of one entry of the query cache. */
interface Loader<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
}

export interface StreamSource {
  readonly streams: Loader<StreamsResponse>;
  clients(streamId: string): Loader<ClientsResponse>;
  /** Omitted by sources without thumbnails; `null` while there is none. */
  picture?(streamId: string): Loader<string | null>;
  kickPublisher(stream: LiveStream): Promise<unknown>;
  kickViewer(client: LiveClient): Promise<unknown>;
  /** Other actions on a stream; absent for sources without a control plane. */
  actions?(stream: LiveStream): ReactNode;
  /** Playback quality over time; absent for sources without a control plane. */
  viewers?(stream: LiveStream): ReactNode;
  /** Address of the live video, HTTP-FLV. */
  flvAddress(stream: LiveStream): string;
}

export const StreamSourceContext = createContext<StreamSource | undefined>(undefined);

export function useStreamSource(): StreamSource {
  const source = useContext(StreamSourceContext);
  if (!source) throw new Error('useStreamSource must be used inside StreamSourceContext');
  return source;
}
