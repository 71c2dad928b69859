// One picture in a stage, with its session: what the player pages and the console's live card both show.
import type { Locale } from '@srs-stack/contract';
import './stage.css';
import { type LiveSession, type LiveView, startLiveSession } from './live-session.ts';
import { hlsSibling, type MediaSource, parseMediaUrl } from './media-url.ts';
import type { StartPlayback } from './playback.ts';
import { createStage, element, type Stage } from './player-stage.ts';
import { type PlayerTexts, playerTexts } from './player-texts.ts';
import { simplePlayback } from './start-playback.ts';

/** Gives the way to play a source inside `frame`; called once per source. */
export type Engine = (frame: HTMLElement, source: MediaSource, locale: Locale) => StartPlayback;

export interface StagePlayer {
  readonly t: PlayerTexts;
  readonly stage: Stage;
  /** Plays the address, or says why it cannot. Ends what was playing. */
  open(address: string): void;
  close(): void;
}

export interface StagePlayerOptions {
  engine: Engine;
  locale: Locale;
  /** Where a viewer whose browser cannot play FLV is sent, given the HLS address; no offer when left out. */
  hlsPage?: (hlsUrl: string) => string;
  /** Whether streams that not everybody may watch open for who is logged in to the console; by default they do. */
  opensForOperator?: boolean;
  /** Told whatever is shown. */
  onView?: (view: LiveView) => void;
}

/** Asks anew with each attempt: a right may have ended meanwhile. */
function opened(engine: Engine, frame: HTMLElement, asked: MediaSource, locale: Locale): StartPlayback {
  const source = { ...asked };
  const start = engine(frame, source, locale);
  return async (events) => {
    // Calls of the console: pages of viewers do not load them first.
    const { addressForOperator } = await import('./own-right.ts');
    source.url = await addressForOperator(asked);
    return start(events);
  };
}

/** Builds a stage; the caller puts `stage.root` on the page and calls `close` when it leaves. */
export function createStagePlayer(options: StagePlayerOptions): StagePlayer {
  const { engine, locale, hlsPage, onView, opensForOperator = true } = options;
  const t = playerTexts(locale);
  let session: LiveSession | undefined;
  const stage = createStage(t, {
    onRetry: () => session?.retry(),
    onPlay: () => session?.play(),
    onUnmute: () => unmute(stage),
  });
  const close = (): void => {
    session?.close();
    session = undefined;
    stage.frame.replaceChildren();
    stage.showUnmute(false);
  };
  const open = (address: string): void => {
    close();
    const parsed = parseMediaUrl(address, location.href);
    if (!parsed.ok) {
      stage.showMessage(...t.urlProblem[parsed.problem]);
      return;
    }
    const sibling = hlsSibling(parsed.source);
    stage.offerAlternative(hlsPage && sibling ? hlsPage(sibling) : '');
    const start = opensForOperator
      ? opened(engine, stage.frame, parsed.source, locale)
      : engine(stage.frame, parsed.source, locale);
    session = startLiveSession(start, (view) => {
      stage.show(view);
      onView?.(view);
      const isMuted = stage.frame.querySelector('video')?.muted === true;
      stage.showUnmute(view.state.name === 'playing' && isMuted);
    });
  };
  return { t, stage, open, close };
}

/** The simple engine: a plain video element with the browser's own controls. */
export const simpleEngine: Engine = (frame, source) => {
  const video = element('video');
  Object.assign(video, { controls: true, muted: true, autoplay: true, playsInline: true });
  frame.append(video);
  return simplePlayback(video, source);
};

function unmute(stage: Stage): void {
  const video = stage.frame.querySelector('video');
  if (video === null) return;
  video.muted = false;
  if (video.volume === 0) video.volume = 1;
  stage.showUnmute(false);
}
