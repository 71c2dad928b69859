// Audio track from a publisher's codec configuration. Never throws: values that cannot be parsed stay unknown.
import type { AudioCodec, AudioTrack } from '../track.ts';
import { aacProfileName, parseAacConfig } from './aac.ts';
import { opusSampleRate, parseOpusConfig } from './opus.ts';

/** Audio parameters from the container when the configuration lacks them (MP3 frame header, FLV flags). */
export interface AudioHint {
  readonly sampleRate?: number;
  readonly channels?: number;
}

/** `config` is the AudioSpecificConfig, the OpusHead, or empty. Unknown rate and channels are 0, unknown profile is ''. */
export function audioTrackFromConfig(codec: AudioCodec, config: Buffer, hint: AudioHint = {}): AudioTrack {
  const facts = codec === 'aac' ? aacFacts(config) : codec === 'opus' ? opusFacts(config) : undefined;
  return {
    kind: 'audio',
    codec,
    config,
    sampleRate: facts?.sampleRate || hint.sampleRate || 0,
    channels: facts?.channels || hint.channels || 0,
    profile: facts?.profile ?? '',
  };
}

interface AudioFacts {
  readonly sampleRate: number;
  readonly channels: number;
  readonly profile: string;
}

function aacFacts(bytes: Buffer): AudioFacts | undefined {
  const config = parseAacConfig(bytes);
  return config && { sampleRate: config.sampleRate, channels: config.channels, profile: aacProfileName(config) };
}

function opusFacts(header: Buffer): AudioFacts {
  return { sampleRate: opusSampleRate, channels: parseOpusConfig(header)?.channels ?? 0, profile: '' };
}
