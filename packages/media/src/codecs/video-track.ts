// Creates a video track from a publisher's decoder configuration record. Never throws. Values that cannot be parsed are unknown.
import type { VideoCodec, VideoTrack } from '../track.ts';
import { av1LevelName, av1ProfileName, parseAv1Config } from './av1.ts';
import { h264LevelName, h264ProfileName } from './h264.ts';
import { parseH264Config } from './h264-config.ts';
import { parseH264Sps } from './h264-sps.ts';
import { h265LevelName, h265NalType, h265ProfileName, h265TypeOf } from './h265.ts';
import { parseH265Config } from './h265-config.ts';
import { parseH265Sps } from './h265-sps.ts';
import { parseVp9Config } from './vp9.ts';

type VideoFacts = Pick<VideoTrack, 'width' | 'height' | 'profile' | 'level'>;

const unknown: VideoFacts = { width: 0, height: 0, profile: '', level: '' };

const factsByCodec: Record<VideoCodec, (config: Buffer) => VideoFacts | undefined> = {
  h264: h264Facts,
  h265: h265Facts,
  av1: av1Facts,
  vp9: vp9Facts,
  vp8: () => unknown,
};

/** `config` is the avcC, hvcC, av1C or vpcC record, or empty. An unknown size is 0; an unknown profile or level is ''. */
export function videoTrackFromConfig(codec: VideoCodec, config: Buffer): VideoTrack {
  return { kind: 'video', codec, config, ...(factsByCodec[codec](config) ?? unknown) };
}

function h264Facts(record: Buffer): VideoFacts | undefined {
  const config = parseH264Config(record);
  if (config === undefined) return undefined;
  const sps = config.sps[0] && parseH264Sps(config.sps[0]);
  return {
    width: sps?.width ?? 0,
    height: sps?.height ?? 0,
    profile: h264ProfileName(config.profileIdc),
    level: h264LevelName(config.levelIdc),
  };
}

function h265Facts(record: Buffer): VideoFacts | undefined {
  const config = parseH265Config(record);
  if (config === undefined) return undefined;
  const unit = config.parameterSets.find((set) => h265TypeOf(set) === h265NalType.sps);
  const sps = unit && parseH265Sps(unit);
  return {
    width: sps?.width ?? 0,
    height: sps?.height ?? 0,
    profile: h265ProfileName(config.profileIdc),
    level: h265LevelName(config.levelIdc),
  };
}

function av1Facts(record: Buffer): VideoFacts | undefined {
  const config = parseAv1Config(record);
  if (config === undefined) return undefined;
  const { width, height, profile, levelIndex } = config;
  return { width, height, profile: av1ProfileName(profile), level: av1LevelName(levelIndex) };
}

function vp9Facts(record: Buffer): VideoFacts | undefined {
  const config = parseVp9Config(record);
  if (config === undefined) return undefined;
  const level = config.level === 0 ? '' : String(config.level / 10);
  return { width: 0, height: 0, profile: `Profile ${config.profile}`, level };
}
