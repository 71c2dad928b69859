// State of renditions, reported by the media server, for the console and for playlists. Pure.
import { defaultVhost, type RenditionRow, renditionName } from '@srs-stack/contract';
import type { Variant } from '@srs-stack/contract/wire/multivariant.ts';
import type { MediaServerStream } from '../../media-server/media-server.ts';
import type { LadderSource, PlannedRendition } from './ladder-plan.ts';

interface Name {
  readonly app: string;
  readonly stream: string;
}

/** Overhead of container and audio, bits per second. Added to a bitrate that does not come from segments. */
const besideBps = 200_000;
const aboveSet = 1.15;
/** The declared frame rate replaces the measured frame rate if the difference is at most this share of the declared rate. */
const declaredShare = 0.15;
/** Tolerance for rounding a measured frame rate, frames per second. */
const fpsTolerance = 0.4;

export function sourceOf({ video, audio, details, receivedKbps }: MediaServerStream): LadderSource {
  const history = details?.bitrateHistoryKbps ?? [];
  const measured = history.length === 0 ? receivedKbps : history.reduce((sum, kbps) => sum + kbps, 0) / history.length;
  return {
    videoCodec: video?.codec ?? '',
    width: video?.width ?? 0,
    height: video?.height ?? 0,
    fps: frameRate(details),
    kbps: Math.round(details?.health?.videoKbps || measured),
    audioCodec: audio?.codec ?? '',
  };
}

/** One row per planned rendition. */
export function renditionRows(
  planned: readonly PlannedRendition[],
  name: Name,
  streams: readonly MediaServerStream[],
): (RenditionRow & { readonly divisor: number })[] {
  return planned.map((rendition) => {
    const row = findStream(streams, name.app, renditionName(name.stream, rendition.step));
    const isLive = row?.isPublished ?? false;
    const { width = 0, height = 0 } = rendition.kind === 'picture' ? rendition : (row?.video ?? {});
    return {
      step: rendition.step,
      ...{ width, height, isLive },
      fps: row?.details?.fps ?? 0,
      kbps: row?.details?.bitrateHistoryKbps.at(-1) ?? row?.receivedKbps ?? 0,
      codecs: row?.details?.hls?.codecs ?? '',
      viewers: Math.max(0, (row?.clients ?? 0) - (isLive ? 1 : 0)),
      divisor: divisorOf(rendition),
    };
  });
}

/**
 * The renditions with media, for a master playlist. The bitrate comes from the segments. Before the first segment, it is the configured
 * bitrate, or for the source the highest measured bitrate.
 * @param isStream the variant is the source stream itself, not a rendition.
 */
export function variantsOf(
  planned: readonly (PlannedRendition | { readonly step: 'source'; readonly kind?: never })[],
  name: Name,
  streams: readonly MediaServerStream[],
  isStream = false,
): Variant[] {
  const source = findStream(streams, name.app, name.stream);
  return planned.flatMap((rendition): Variant[] => {
    const stream = isStream ? name.stream : renditionName(name.stream, rendition.step);
    const row = findStream(streams, name.app, stream);
    if (!row?.isPublished || !row.details?.hasMedia || row.details.hls === undefined) return [];
    const { hls } = row.details;
    const setKbps = 'kbps' in rendition ? rendition.kbps * aboveSet : Math.max(0, ...row.details.bitrateHistoryKbps);
    const setBps = setKbps * 1_000 + besideBps;
    return [
      {
        stream,
        peakBps: Math.round(hls.peakBps || setBps),
        averageBps: Math.round(hls.averageBps || setBps),
        width: row.video?.width ?? 0,
        height: row.video?.height ?? 0,
        fps: row.video ? frameRate(source?.details) / divisorOf(rendition) : 0,
        codecs: hls.codecs,
      },
    ];
  });
}

function divisorOf(rendition: object): number {
  return 'divisor' in rendition && typeof rendition.divisor === 'number' ? rendition.divisor : 1;
}

/** Frames per second; 0 while unknown. Prefers a declared value close to the measured value, because measurements fluctuate. */
function frameRate(details: MediaServerStream['details']): number {
  const { fps = 0, health } = details ?? {};
  const declared = health?.declaredFps ?? 0;
  if (declared > 0 && (fps === 0 || Math.abs(declared - fps) <= declaredShare * declared)) return declared;
  return Math.abs(fps - Math.round(fps)) < fpsTolerance ? Math.round(fps) : fps;
}

/** Frame rate of the slowest rendition relative to the expected rate. */
export function pictureShare(
  rows: ReturnType<typeof renditionRows>,
  source: Pick<MediaServerStream, 'details'> | undefined,
): number {
  const fps = source?.details?.fps ?? 0;
  const shares = rows.filter(({ height, isLive }) => isLive && height > 0).map((row) => row.fps * row.divisor);
  return fps === 0 || shares.length === 0 ? 1 : Math.min(...shares) / fps;
}

export function findStream(
  streams: readonly MediaServerStream[],
  app: string,
  name: string,
): MediaServerStream | undefined {
  return streams.find(({ vhost, ...each }) => vhost === defaultVhost && each.app === app && each.stream === name);
}
