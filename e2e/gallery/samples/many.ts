// More than fits on a screen: two hundred streams, twenty targets, long and non-Latin names.
import type { ForwardRow, ForwardTarget } from '@srs-stack/contract';
import { liveStream } from './streams.ts';
import { forwardTarget, worker } from './workers.ts';

/** The longest allowed stream name. Browsers cannot break it into lines. */
export const longestName = 'a'.repeat(128);

const hardNames = [
  'conference-hall-3-second-camera-left-of-the-stage-backup-encoder-1080p60-hevc',
  longestName,
  '直播间-二〇二六年春季新品发布会-主会场-第二机位',
  'Émission_du_soir_ÀÉÎÕÜ_ß_ё_日本語_한국어_🎥',
  'قناة-الأخبار-المباشرة',
];

export const manyStreams = Array.from({ length: 200 }, (_, index) =>
  liveStream({
    id: `vid-${index}`,
    stream: hardNames[index] ?? `camera-${String(index).padStart(3, '0')}`,
    viewers: (index * 37) % 900,
  }),
);

export const manyTargets: Record<string, ForwardTarget> = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => {
    const platform = `forwarding-${index + 1}`;
    const label = hardNames[index]?.slice(0, 60) ?? `Partner ${index + 1}`;
    return [platform, forwardTarget(platform, { custom: true, label })];
  }),
);

export const manyRows: ForwardRow[] = Object.entries(manyTargets).map(([platform, { label }], index) => ({
  platform,
  label,
  enabled: true,
  custom: true,
  stream: 'live/livestream',
  ...worker(index % 4 === 3 ? 'retrying' : 'running', index % 4 === 3 ? { reason: 'timeout' } : {}),
}));
