import type { MediaSource } from '@srs-stack/contract';

/** Metadata of a ten-second MP4 file with H.264 and AAC. */
export function sourceFixture(change: Partial<MediaSource> = {}): MediaSource {
  const times = { bit_rate: '', start_time: '0.000000', duration: '10.080000' };
  return {
    name: 'show.mp4',
    path: '',
    size: 2_621_440,
    uuid: '11111111-1111-4111-8111-111111111111',
    target: 'vlive/11111111-1111-4111-8111-111111111111.mp4',
    type: 'upload',
    format: { ...times, bit_rate: '2080500', nb_streams: 2, probe_score: 100, has_video: true, has_audio: true },
    video: {
      ...times,
      codec_type: 'video',
      codec_name: 'h264',
      profile: 'High',
      width: 1280,
      height: 720,
      pix_fmt: 'yuv420p',
      rotation: 0,
      encodes: '',
      level: 31,
    },
    audio: {
      ...times,
      codec_type: 'audio',
      codec_name: 'aac',
      profile: 'LC',
      sample_fmt: 'fltp',
      sample_rate: '44100',
      channels: 2,
      channel_layout: 'stereo',
    },
    ...change,
  };
}
