// Media of a publisher that the server drops: unsupported codecs and additional tracks. Shown in the publisher's details.

export interface LeftOutMedia {
  readonly unsupportedVideo?: string;
  readonly unsupportedAudio?: string;
  readonly extraVideoTracks?: number;
  readonly extraAudioTracks?: number;
}

/** Omits counts that are 0. */
export function extraTracks(video: number, audio: number): LeftOutMedia {
  return { ...(video > 0 && { extraVideoTracks: video }), ...(audio > 0 && { extraAudioTracks: audio }) };
}

/** Advice for the operator in the log. */
export function remedyFor({ unsupportedVideo, unsupportedAudio }: LeftOutMedia): string {
  return unsupportedVideo || unsupportedAudio
    ? 'set the encoder to H.264 or HEVC video, and AAC, Opus, MP3, MP2 or AC-3 audio'
    : 'a stream carries one video and one audio track: publish further tracks as separate streams';
}
