// The hub's audio bridge: lists the supported conversions, and runs one FFmpeg process per stream and target codec.

import type { AudioCodec } from '@srs-stack/media/track.ts';
import type { AudioBridge } from '../hub/audio-bridge.ts';
import type { EngineLogger } from '../ports.ts';
import { convertibleCodecs } from './audio-input.ts';
import { type ConvertedCodec, convertedTracks } from './audio-output.ts';
import { type OpenLoopbackPort, openLoopbackPort, type SpawnConverter, spawnFfmpeg } from './converter-process.ts';
import { FfmpegConversion } from './ffmpeg-conversion.ts';

export interface FfmpegAudioBridgeOptions {
  readonly log: EngineLogger;
  /** Monotonic milliseconds. */
  readonly clock: () => number;
  readonly spawn?: SpawnConverter;
  readonly openPort?: OpenLoopbackPort;
}

/** The hub must close each conversion. */
export function createFfmpegAudioBridge(options: FfmpegAudioBridgeOptions): AudioBridge {
  const { log, clock, spawn = spawnFfmpeg, openPort = openLoopbackPort } = options;
  let isReported = false;
  const onMissing = (): void => {
    if (isReported) return;
    isReported = true;
    log.error(
      { remedy: 'install FFmpeg 5.1 or later (Debian, Ubuntu: apt-get install ffmpeg); no restart is needed' },
      'FFmpeg is missing: players that do not support the audio codec of a stream get video only',
    );
  };
  return {
    targetOf: (source, accepted) => (convertibleCodecs.includes(source) ? accepted.find(isConverted) : undefined),
    convert(order) {
      if (!isConverted(order.target)) throw new Error(`audio conversion to ${order.target} is not supported`);
      return new FfmpegConversion(order, order.target, { log, clock, spawn, openPort, onMissing });
    },
  };
}

function isConverted(codec: AudioCodec): codec is ConvertedCodec {
  return codec in convertedTracks;
}
