// Interface to the source of stream data: the console's API, or the HTTP API of an SRS server.
import type { LiveClient, LiveStream } from '@srs-stack/contract';
import { createContext, type ReactNode, useContext } from 'react';

export interface StreamsResponse {
  /** False while the media server does not respond; `streams` is then empty. */
  mediaServer: boolean;
  streams: LiveStream[];
}

export interface ClientsResponse {
  clients: LiveClient[];
  /** Number of all clients; `clients` may be truncated. */
  total: number;
}

interface Loader<T> {
  readonly queryKey: readonly unknown[];
  readonly queryFn: (context: { signal: AbortSignal }) => Promise<T>;
}

export interface StreamSource {
  readonly streams: Loader<StreamsResponse>;
  clients(streamId: string): Loader<ClientsResponse>;
  /** Absent for sources without thumbnails; `null` for streams without a thumbnail. */
  picture?(streamId: string): Loader<string | null>;
  kickPublisher(stream: LiveStream): Promise<unknown>;
  kickViewer(client: LiveClient): Promise<unknown>;
  /** Additional actions on a stream; absent for sources without a control plane. */
  actions?(stream: LiveStream): ReactNode;
  /** Playback quality over time; absent for sources without a control plane. */
  viewers?(stream: LiveStream): ReactNode;
  flvAddress(stream: LiveStream): string;
}

export const StreamSourceContext = createContext<StreamSource | undefined>(undefined);

export function useStreamSource(): StreamSource {
  const source = useContext(StreamSourceContext);
  if (!source) throw new Error('useStreamSource must be used inside StreamSourceContext');
  return source;
}
