// Provides addresses, publish secret and stream name to all items of a publish guide.
import type { AddressSet } from '@srs-stack/contract';
import { createContext, useContext } from 'react';
import type { StreamName } from './use-stream-name.ts';
import type { WatchLinkState } from './use-watch-link.ts';

export interface Guide {
  addresses: AddressSet;
  /** Publish secret; '' if publishing needs none. */
  secret: string;
  streamName: StreamName;
  /** Access mode of the stream and a playback link. After the operator has created a link, play addresses contain its query. */
  watchLink: WatchLinkState;
}

export const GuideContext = createContext<Guide | undefined>(undefined);

/** @throws Error outside the guide. */
export function useGuide(): Guide {
  const guide = useContext(GuideContext);
  if (!guide) throw new Error('useGuide must be used inside GuideContext');
  return guide;
}
