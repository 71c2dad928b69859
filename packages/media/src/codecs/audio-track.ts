// Creates an audio track from a publisher's codec configuration. Never throws. Values that cannot be parsed are unknown.
import type { AudioCodec, AudioTrack } from '../track.ts';
import { aacProfileName, parseAacConfig } from './aac.ts';
import { opusSampleRate, parseOpusConfig } from './opus.ts';

/** Audio parameters from frame headers, FLV flags or SDP, used when the configuration does not contain them. */
export interface AudioHint {
  readonly sampleRate?: number;
  readonly channels?: number;
}

/**
 * `config` is the AudioSpecificConfig, the OpusHead, the sequence header of FLAC, or empty. An unknown rate or number of channels is 0; an
 * unknown profile is ''.
 */
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
