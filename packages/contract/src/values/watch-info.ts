// Response of `/watch/<app>/<stream>/info.json`: what the watch page shows. The gateway sends it.

import type { WatchTheme } from './watch-page.ts';

/** Output protocols in order of latency, the lowest first. */
export const watchWays = ['webrtc', 'llhls', 'flv', 'hls'] as const;
export type WatchWay = (typeof watchWays)[number];

/** Public data, which the page shows before a password is entered. */
export interface WatchLook {
  /** Heading of the page; defaults to the name of the stream. */
  readonly name: string;
  /** Description below the heading, one or two lines; may be empty. */
  readonly text: string;
  /** Path of the image that is shown while the stream is not live; null: none. */
  readonly picture: string | null;
  /** Path of a small image beside the name; null: none. */
  readonly logo: string | null;
  /** `#rrggbb`; empty: the colour of the product. */
  readonly accent: string;
  readonly theme: WatchTheme;
  /** Start of a planned broadcast, RFC 3339; null: none. */
  readonly startsAt: string | null;
}

/** Protected data, only for authorized viewers. */
export interface WatchLive {
  /** Null for unauthorized viewers, or when the media server does not report the state. */
  readonly live: boolean | null;
  /** Start of the live stream, RFC 3339. */
  readonly since: string | null;
  /** Null when hidden or unknown. */
  readonly viewers: number | null;
  /**
   * Enabled protocols that can carry the published media. While nothing is published: all enabled protocols. For unauthorized viewers:
   * empty.
   */
  readonly ways: readonly WatchWay[];
  /** Path of the multivariant playlist, if the stream has renditions. */
  readonly master?: string | undefined;
  readonly rewind?: WatchRewind;
  /** Current length of the rewind window, seconds; absent when unknown. */
  readonly rewindSeconds?: number;
}

export interface WatchRewind {
  /** Path of the live playlist that covers the whole window. */
  readonly playlist: string;
  readonly thumbnails?: string;
  /** Maximum length of the rewind window, seconds. */
  readonly windowSeconds: number;
}

export interface WatchInfo extends WatchLook, WatchLive {
  /** False when a password, a signed link or the approval of a service is missing. */
  readonly allowed: boolean;
}
