// A player with its session and video area, used by the player pages, the watch page and console pages.
import type { Locale } from '@srs-stack/contract';
import './stage.css';
import { type LiveSession, type LiveView, startLiveSession } from './live-session.ts';
import { hlsSibling, type MediaSource, parseMediaUrl } from './media-url.ts';
import type { StartPlayback } from './playback.ts';
import { createStage, element, type Stage } from './player-stage.ts';
import { type PlayerTexts, playerTexts } from './player-texts.ts';
import { simplePlayback } from './start-playback.ts';

/** Creates the playback of a source inside `frame`; called once per source. */
export type Engine = (frame: HTMLElement, source: MediaSource, locale: Locale) => StartPlayback;

export interface StagePlayer {
  readonly t: PlayerTexts;
  readonly stage: Stage;
  /** Plays the address, or shows a problem. Ends the previous playback. */
  open(address: string): void;
  close(): void;
}

export interface StagePlayerOptions {
  engine: Engine;
  locale: Locale;
  /** Link to a page that plays the HLS address, shown if the browser cannot play FLV. If undefined, no link is shown. */
  hlsPage?: (hlsUrl: string) => string;
  /** Whether the player authorizes logged-in operators and explains refusals. True by default; the watch page sets false. */
  handlesAccess?: boolean;
  onView?: (view: LiveView) => void;
}

interface Opening {
  readonly engine: Engine;
  readonly frame: HTMLElement;
  readonly original: MediaSource;
  readonly locale: Locale;
  readonly onRefused: () => void;
}

/** Requests the authorized address for each attempt, because authorizations expire. */
function opened({ engine, frame, original, locale, onRefused }: Opening): StartPlayback {
  const source = { ...original };
  const start = engine(frame, source, locale);
  return async (events) => {
    // Imported on demand, because most viewers do not need the console code in this module.
    const { authorizedAddress } = await import('./authorized-address.ts');
    source.url = await authorizedAddress(original);
    const onProblem: typeof events.onProblem = (problem) => {
      events.onProblem(problem);
      if (problem.kind === 'not-allowed') onRefused();
    };
    return start({ ...events, onProblem });
  };
}

/** Creates a player. The caller adds `stage.root` to the page and later calls `close`. */
export function createStagePlayer(options: StagePlayerOptions): StagePlayer {
  const { engine, locale, hlsPage, onView, handlesAccess = true } = options;
  const t = playerTexts(locale);
  let session: LiveSession | undefined;
  let refusal: { remove(): void } | undefined;
  const stage = createStage(t, {
    onRetry: () => session?.retry(),
    onPlay: () => session?.play(),
    onUnmute: () => unmute(stage),
  });
  const close = (): void => {
    session?.close();
    session = undefined;
    refusal?.remove();
    refusal = undefined;
    stage.frame.replaceChildren();
    stage.showUnmute(false);
  };
  const explain = async (source: MediaSource, refused: LiveSession | undefined): Promise<void> => {
    const { explainRefusal } = await import('./refusal.ts');
    const found = await explainRefusal(source, locale, open);
    // Ignored if the viewer has opened an address meanwhile.
    if (!found || session !== refused) return;
    close();
    stage.showMessage(...found.message);
    refusal = found.show(stage);
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
    const { source } = parsed;
    const onRefused = () => {
      explain(source, session).catch(reportError);
    };
    const start = handlesAccess
      ? opened({ engine, frame: stage.frame, original: source, locale, onRefused })
      : engine(stage.frame, source, locale);
    session = startLiveSession(start, (view) => {
      stage.show(view);
      onView?.(view);
      const isMuted = stage.frame.querySelector('video')?.muted === true;
      stage.showUnmute(view.state.name === 'playing' && isMuted);
    });
  };
  return { t, stage, open, close };
}

/** Plays in a video element with the browser's controls. */
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
