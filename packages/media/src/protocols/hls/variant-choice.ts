// Selects the variant of a multivariant playlist to pull: the best one with video.
import type { HlsMultivariantPlaylist, HlsVariant } from './hls-playlist.ts';

const video = /(?:^|,)\s*(?:avc[13]|hvc1|hev1|dvh1|av01|vp09)/i;
/** Video codecs that a stream pulled from HLS can have. */
const carriedVideo = /(?:^|,)\s*(?:avc[13]|hvc1|hev1)/i;

/** The highest bandwidth among those with supported codecs; if there are none, the highest of all. */
export function bestVariant({ variants }: HlsMultivariantPlaylist): HlsVariant {
  const named = variants.filter(({ codecs }) => carriedVideo.test(codecs));
  const unnamed = variants.filter(({ codecs }) => codecs === '');
  // If other variants list codecs, a variant without a video codec is audio only.
  const audio = variants.filter(({ codecs }) => codecs !== '' && !video.test(codecs));
  const candidates = [named, unnamed, audio].find((each) => each.length > 0) ?? variants;
  return candidates.reduce((best, each) => (each.bandwidth > best.bandwidth ? each : best));
}
