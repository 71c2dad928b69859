// Selects the best variant of a multivariant playlist.
import type { HlsMultivariantPlaylist, HlsVariant } from './hls-playlist.ts';

const video = /(?:^|,)\s*(?:avc[13]|hvc1|hev1|dvh1|av01|vp09)/i;
/** Video codecs that a stream pulled from HLS can have. */
const carriedVideo = /(?:^|,)\s*(?:avc[13]|hvc1|hev1)/i;

/**
 * Prefers variants with supported video codecs, then variants without a codec list, then audio-only variants. Among equal variants, the
 * highest bandwidth wins.
 */
export function bestVariant({ variants }: HlsMultivariantPlaylist): HlsVariant {
  const named = variants.filter(({ codecs }) => carriedVideo.test(codecs));
  const unnamed = variants.filter(({ codecs }) => codecs === '');
  // Variants that list only audio codecs.
  const audio = variants.filter(({ codecs }) => codecs !== '' && !video.test(codecs));
  const candidates = [named, unnamed, audio].find((each) => each.length > 0) ?? variants;
  return candidates.reduce((best, each) => (each.bandwidth > best.bandwidth ? each : best));
}
