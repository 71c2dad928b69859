// Plays FLV and HLS with xgplayer, which draws its own controls.
import XgPlayer, { Events } from 'xgplayer';
import { FlvPlugin } from 'xgplayer-flv';
import { HlsPlugin } from 'xgplayer-hls';
import 'xgplayer/dist/index.min.css';
import { codecInMessage } from './codec-name.ts';
import type { MediaSource } from './media-url.ts';
import {
  bufferAhead,
  frameBacklog,
  type Playback,
  type PlaybackEvents,
  type PlaybackProblem,
  problemOfHttpStatus,
  segmentBacklog,
} from './playback.ts';

interface StreamStats {
  videoCodec?: string;
  audioCodec?: string;
  bitrate?: number;
}

interface XgError {
  message?: string;
  errorType?: string;
  httpCode?: number;
  ext?: { httpCode?: number };
}

/** Update interval of the plug-in's statistics, milliseconds. */
const statsMs = 1_000;

const pluginOptions = {
  flv: { retryCount: 0, targetLatency: 1, maxLatency: 4, preloadTime: 1, disconnectTime: 0, bufferBehind: 30 },
  hls: { retryCount: 1, targetLatency: 6, maxLatency: 12, bufferBehind: 30 },
};

/** Converts WebSocket addresses to HTTP, because xgplayer supports only HTTP. The server provides each stream over HTTP too. */
function httpUrl(url: string): string {
  return url.replace(/^ws/, 'http');
}

/** Starts playback in `stage`, which must be empty. @param language `zh` or `en`. */
export function startXgplayerPlayback(
  stage: HTMLElement,
  source: MediaSource,
  language: string,
  muted: boolean,
  events: PlaybackEvents,
): Playback {
  const mount = stage.appendChild(document.createElement('div'));
  const player = new XgPlayer({
    el: mount,
    url: httpUrl(source.url),
    lang: language,
    isLive: true,
    autoplay: true,
    autoplayMuted: muted,
    volume: muted ? 0 : 1,
    playsinline: true,
    width: '100%',
    height: '100%',
    videoFillMode: 'contain',
    pip: true,
    // Disabled plug-ins. The overlays of `error` and `replay` would cover the errors and the retry button of the page.
    ignores: ['error', 'replay', 'playbackrate', 'cssfullscreen'],
    plugins: [source.kind === 'hls' ? HlsPlugin : FlvPlugin],
    ...pluginOptions,
  });
  player.on(Events.ERROR, (error: XgError) => events.onProblem(toProblem(error)));
  player.on(Events.ENDED, () => events.onProblem({ kind: 'ended' }));
  const pluginName = source.kind === 'hls' ? 'hls' : 'flv';
  const timer = setInterval(() => reportStats(player, pluginName, events), statsMs);
  const video = player.media as HTMLVideoElement;
  let destroyed = false;
  return {
    video,
    backlog: source.kind === 'hls' ? segmentBacklog : frameBacklog,
    latency: () => {
      const seconds = bufferAhead(video);
      return seconds === undefined ? undefined : { kind: 'buffer', seconds };
    },
    destroy: () => {
      if (destroyed) return;
      destroyed = true;
      clearInterval(timer);
      player.destroy();
      mount.remove();
    },
  };
}

function reportStats(player: XgPlayer, pluginName: string, events: PlaybackEvents): void {
  const plugin = player.getPlugin(pluginName) as { getStats?: () => StreamStats | undefined } | null;
  const stats = plugin?.getStats?.();
  if (stats === undefined) return;
  events.onFacts({
    videoCodec: stats.videoCodec || undefined,
    audioCodec: signalledAudio(stats.audioCodec),
    ...(stats.bitrate ? { bitrateKbps: stats.bitrate / 1000 } : {}),
  });
}

/** Removes the profile. The plug-in reports all AAC as HE-AAC, so the actual profile is unknown. */
export function signalledAudio(codec: string | undefined): string | undefined {
  return codec === 'mp4a.40.5' ? 'mp4a.40' : codec || undefined;
}

function toProblem(error: XgError): PlaybackProblem {
  const message = error.message ?? '';
  const status = error.httpCode ?? error.ext?.httpCode ?? 0;
  const refused = codecInMessage(message);
  if (refused !== undefined) return { kind: 'codec', codec: refused };
  if (status >= 400) return problemOfHttpStatus(status);
  if (error.errorType === 'network' || error.errorType === 'manifest') return { kind: 'network', detail: message };
  return { kind: 'media', detail: message };
}
