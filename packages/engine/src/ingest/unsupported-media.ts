// Codecs of a publisher that are left out, as they stand in its details.

export interface UnsupportedMedia {
  readonly unsupportedVideo?: string;
  readonly unsupportedAudio?: string;
}

/** What the log says to the operator about them. */
export const unsupportedRemedy = 'set the encoder to H.264 or HEVC video, and AAC, Opus, MP3, MP2 or AC-3 audio';
