// What every item of the guide needs: the addresses, the secret to mask, the stream name and its setter.
import type { AddressSet } from '@srs-stack/contract';
import { createContext, useContext } from 'react';
import type { StreamName } from './use-stream-name.ts';
import type { WatchLinkState } from './use-watch-link.ts';

export interface Guide {
  addresses: AddressSet;
  /** The publish secret; empty while publishing needs none. */
  secret: string;
  streamName: StreamName;
  /** What viewers need for the stream. Play addresses contain the link after one was created. */
  watchLink: WatchLinkState;
}

export const GuideContext = createContext<Guide | undefined>(undefined);

/** @throws Error outside the guide. */
export function useGuide(): Guide {
  const guide = useContext(GuideContext);
  if (!guide) throw new Error('useGuide must be used inside GuideContext');
  return guide;
}
