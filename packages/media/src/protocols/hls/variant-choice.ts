// Which variant of a multivariant playlist is pulled: the best one with video.
import type { HlsMultivariantPlaylist, HlsVariant } from './hls-playlist.ts';

const video = /(?:^|,)\s*(?:avc[13]|hvc1|hev1|dvh1|av01|vp09)/i;
/** Codecs that a stream here carries. */
const carriedVideo = /(?:^|,)\s*(?:avc[13]|hvc1|hev1)/i;

/** The highest bandwidth among those whose codecs are carried; without any, the highest of all. */
export function bestVariant({ variants }: HlsMultivariantPlaylist): HlsVariant {
  const named = variants.filter(({ codecs }) => carriedVideo.test(codecs));
  const unnamed = variants.filter(({ codecs }) => codecs === '');
  // With codecs for other variants, one without video is audio alone.
  const audio = variants.filter(({ codecs }) => codecs !== '' && !video.test(codecs));
  const candidates = [named, unnamed, audio].find((each) => each.length > 0) ?? variants;
  return candidates.reduce((best, each) => (each.bandwidth > best.bandwidth ? each : best));
}
