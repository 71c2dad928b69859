// Places for connections to the control plane. Calls, uploads, event streams and slow readers have separate limits, so that calls always
// find a place. Each of these places has a connection, so no request waits for a connection.
import { callLane, eventLane, slowReaders, unreadResponses, uploadLane } from '../limits/front-limits.ts';
import { Lane, type Place } from '../limits/lane.ts';
import { Transfers } from '../limits/transfers.ts';
import type { ExchangeHost } from './proxied-exchange.ts';

export interface PlacesLoad {
  readonly running: number;
  readonly waiting: number;
  /** Number of responses that clients read slowly or have not read. */
  readonly slow: number;
}

type AnswerPlaces = Pick<ExchangeHost, 'admitEventStream' | 'admitSlowReader' | 'admitUnread' | 'onFree'>;

export interface PlatformPlaces {
  readonly calls: Lane;
  readonly uploads: Lane;
  /**
   * Moves a long response from its request's place to a place for long responses.
   * @param key of the client (`addressKey`).
   * @param first the place of the request.
   */
  ofAnswer(key: string, first: Place): AnswerPlaces;
  load(): PlacesLoad;
}

export function createPlatformPlaces(): PlatformPlaces {
  const calls = new Lane(callLane);
  const uploads = new Lane(uploadLane);
  const events = new Lane(eventLane);
  const slow = new Transfers(slowReaders);
  const unread = new Transfers(unreadResponses);
  return {
    calls,
    uploads,
    ofAnswer(key, first) {
      let second: Place | undefined;
      return {
        admitEventStream() {
          second = events.enter(key, () => undefined);
          if (second) first.leave();
          return second !== undefined;
        },
        admitSlowReader(cut) {
          const transfer = slow.admit(key, cut);
          if (transfer) first.leave();
          return transfer;
        },
        admitUnread: (cut) => unread.admit(key, cut),
        onFree() {
          first.leave();
          second?.leave();
        },
      };
    },
    load() {
      const lanes = [calls.load, uploads.load, events.load];
      const sum = (of: 'running' | 'waiting') => lanes.reduce((total, load) => total + load[of], 0);
      return { running: sum('running'), waiting: sum('waiting'), slow: slow.count + unread.count };
    },
  };
}
