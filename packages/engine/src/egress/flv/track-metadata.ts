// Creates onMetaData for publishers that send none, such as SRT and WebRTC publishers. Streaming platforms read the video size and the
// codecs from onMetaData.
import { audioFourCc, soundFormat, videoCodecId, videoFourCc } from '@srs-stack/media/containers/flv/flv-format.ts';
import type { StreamMetadata } from '@srs-stack/media/stream-metadata.ts';
import type { AudioTrack, VideoTrack } from '@srs-stack/media/track.ts';
import type { PresentTracks } from '../../hub/stream-view.ts';

/** Codecs of Enhanced RTMP are stored as the number that their FourCC encodes ("Enhancing onMetaData"). */
export function metadataOfTracks({ video, audio }: PresentTracks): StreamMetadata {
  return { ...(video && ofVideo(video)), ...(audio && ofAudio(audio)) };
}

function ofVideo({ codec, width, height }: VideoTrack): StreamMetadata {
  const size = width > 0 && height > 0 ? { width, height } : {};
  return { ...size, videocodecid: codec === 'h264' ? videoCodecId.h264 : fourCcNumber(videoFourCc[codec]) };
}

function ofAudio({ codec, sampleRate, channels }: AudioTrack): StreamMetadata {
  const id = codec === 'aac' ? soundFormat.aac : codec === 'mp3' ? soundFormat.mp3 : enhancedIdOf(codec);
  return { ...(id !== undefined && { audiocodecid: id }), audiosamplerate: sampleRate, stereo: channels > 1 };
}

function enhancedIdOf(codec: AudioTrack['codec']): number | undefined {
  const fourCc = audioFourCc[codec as keyof typeof audioFourCc] as string | undefined;
  return fourCc === undefined ? undefined : fourCcNumber(fourCc);
}

function fourCcNumber(fourCc: string): number {
  return Buffer.from(fourCc, 'latin1').readUInt32BE(0);
}
