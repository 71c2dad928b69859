// Rules that compare playback reports with the source to find why viewers stall or start late. Pure.
import type { LiveStream } from '@srs-stack/contract';
import { finding, type HealthFinding, type HealthRule, seconds } from './health-finding.ts';

type Viewing = NonNullable<LiveStream['viewing']>;

/** Minimum average number of viewers in the last minute: one viewer for half a minute. */
const leastViewers = 0.5;
/** Minimum share of stalled viewers. Smaller shares occur on any network. */
const leastStalledShare = 0.1;
/** Share of stalled viewers that indicates a common cause, and the minimum average number of viewers for this rule. */
const togetherShare = 0.8;
const togetherViewers = 1.5;
/** Pause of the source that players notice, milliseconds. */
const unevenMs = 1_000;
/** Minimum share of the encoder's bitrate. A viewer that receives less has a slow network. */
const slowerShare = 0.9;
/** Maximum acceptable median time to first frame, seconds. */
const slowJoinSeconds = 4;
/** Keyframe intervals up to this value do not delay the first frame, milliseconds: the recommended 2 s plus jitter. */
const shortKeyframeIntervalMs = 2_200;

const causes: readonly (readonly [HealthFinding['kind'], (stream: LiveStream, viewing: Viewing) => boolean])[] = [
  ['viewers-stall-encoder', (stream, viewing) => isTogether(viewing) && isUneven(stream)],
  ['viewers-stall-server', (_stream, viewing) => isTogether(viewing)],
  ['viewers-stall-bitrate', (stream, viewing) => isSlower(stream, viewing)],
  ['viewers-stall', () => true],
];

const stalls: HealthRule = (stream) => {
  const { viewing } = stream;
  const share = viewing?.stalledShare ?? 0;
  if (!viewing || viewing.viewers < leastViewers || share < leastStalledShare) return undefined;
  const kind = causes.find(([, isCause]) => isCause(stream, viewing))?.[0] ?? 'viewers-stall';
  return finding('warning', kind, {
    count: Math.max(1, Math.round(1 / share)),
    mbps: (stream.bitrateKbps / 1000).toFixed(1),
    receivedMbps: ((viewing.stalledReceivedBps ?? 0) / 1_000_000).toFixed(1),
    seconds: seconds(stream.health?.longestGapMs ?? 0),
  });
};

const slowJoin: HealthRule = ({ viewing, keyframeIntervalMs }) => {
  const joinP50 = viewing?.joinP50 ?? 0;
  if (joinP50 <= slowJoinSeconds) return undefined;
  const kind = keyframeIntervalMs > shortKeyframeIntervalMs ? 'slow-join' : 'slow-join-server';
  return finding('info', kind, { seconds: joinP50.toFixed(1), keyframeSeconds: seconds(keyframeIntervalMs) });
};

export const viewerRules: readonly HealthRule[] = [stalls, slowJoin];

function isTogether({ viewers, stalledShare }: Viewing): boolean {
  return viewers >= togetherViewers && (stalledShare ?? 0) >= togetherShare;
}

/** Whether the source pauses long enough for players to notice. */
function isUneven({ health }: LiveStream): boolean {
  return health !== undefined && Math.max(health.longestGapMs, health.silentMs) >= unevenMs;
}

function isSlower({ bitrateKbps }: LiveStream, { stalledReceivedBps }: Viewing): boolean {
  return stalledReceivedBps !== null && stalledReceivedBps < bitrateKbps * 1000 * slowerShare;
}
