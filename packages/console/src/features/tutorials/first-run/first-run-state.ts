// Determines what the start page's first card shows, from the live streams and the demo stream. Pure.
import type { DemoStream, LiveStream } from '@srs-stack/contract';
import { defaultApp, demoStreamName } from '@srs-stack/contract/constants.ts';

export interface FirstRunFacts {
  /** Undefined until the first response. */
  live: { mediaServer: boolean; streams: readonly LiveStream[] } | undefined;
  demo: DemoStream | undefined;
}

export type FirstRunState =
  | { kind: 'loading' }
  | { kind: 'engine-away' }
  | { kind: 'quiet' }
  | { kind: 'demo-starting' }
  | { kind: 'demo-failed'; demo: DemoStream }
  | { kind: 'on-air'; stream: LiveStream; isDemo: boolean };

export function firstRunState({ live, demo }: FirstRunFacts): FirstRunState {
  if (!live) return { kind: 'loading' };
  const playing = live.streams.filter((stream) => stream.hasMedia);
  // An operator's own stream has priority over the demo.
  const stream = playing.find((each) => !isDemoStream(each)) ?? playing[0];
  if (stream) return { kind: 'on-air', stream, isDemo: isDemoStream(stream) };
  if (!live.mediaServer) return { kind: 'engine-away' };
  if (!demo?.enabled) return { kind: 'quiet' };
  const isFailing = demo.state === 'retrying' || demo.state === 'error';
  return isFailing ? { kind: 'demo-failed', demo } : { kind: 'demo-starting' };
}

function isDemoStream({ app, stream }: Pick<LiveStream, 'app' | 'stream'>): boolean {
  return app === defaultApp && stream === demoStreamName;
}
