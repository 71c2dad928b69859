// `GET /watch/<app>/<stream>/info.json`: what the page for viewers is told of its stream. The gateway answers it, the page reads it.

import type { WatchTheme } from './watch-page.ts';

/** Ways to play, the quickest first. */
export const watchWays = ['webrtc', 'llhls', 'flv', 'hls'] as const;
export type WatchWay = (typeof watchWays)[number];

/** What anybody may know: it is on the page before a password was given. */
export interface WatchLook {
  /** Heading of the page; the name of the stream when nobody has set another. */
  readonly name: string;
  /** A line or two below it; '' without one. */
  readonly text: string;
  /** Path of the picture that is shown while the stream is not live; null without one. */
  readonly picture: string | null;
  /** Path of a small picture beside the name; null without one. */
  readonly logo: string | null;
  /** `#rrggbb`; '' for the colour of the product. */
  readonly accent: string;
  readonly theme: WatchTheme;
  /** When a planned broadcast begins, RFC 3339; null when none is planned. */
  readonly startsAt: string | null;
}

/** What only those may know who may watch. */
export interface WatchLive {
  /** Null when it cannot be told: to those who may not watch, or by a media server that does not say. */
  readonly live: boolean | null;
  /** Since when it is live, RFC 3339. */
  readonly since: string | null;
  /** Null when they are hidden, or cannot be told. */
  readonly viewers: number | null;
  /** Those that are switched on and can carry what is published; all of them while nothing is. Empty for those who may not watch. */
  readonly ways: readonly WatchWay[];
  /** Path of the multivariant playlist, where the stream is offered in several qualities. */
  readonly master?: string | undefined;
  /** Where the past of the stream can be watched. */
  readonly rewind?: WatchRewind;
  /** How much of it there is now, seconds; left out when it cannot be told. */
  readonly rewindSeconds?: number;
}

export interface WatchRewind {
  /** Path of the live playlist that holds the whole window. */
  readonly playlist: string;
  /** Path of the WebVTT storyboard. */
  readonly thumbnails?: string;
  /** How far back it goes at most, seconds. */
  readonly windowSeconds: number;
}

export interface WatchInfo extends WatchLook, WatchLive {
  /** False: a password, a link or the word of a service is missing. */
  readonly allowed: boolean;
}
