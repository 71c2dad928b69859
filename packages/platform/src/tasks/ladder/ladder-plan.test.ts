import { ladderConfig } from '@srs-stack/contract';
import { describe, expect, it } from 'vitest';
import { type LadderSource, planLadder } from './ladder-plan.ts';

const config = ladderConfig.parse({});
const hd: LadderSource = { videoCodec: 'H264', width: 1920, height: 1080, fps: 30, kbps: 6_000, audioCodec: 'AAC' };
const stepsOf = (plan: ReturnType<typeof planLadder>) => plan.renditions.map(({ step }) => step);

describe('renditions of a source', () => {
  it('are the source, all smaller ones, and audio', () => {
    const plan = planLadder(config, hd);
    expect(stepsOf(plan)).toEqual(['source', '1080p', '720p', '480p', '360p', 'audio']);
    expect(plan.leftOut).toEqual([]);
    expect(plan.renditions[2]).toEqual({
      kind: 'picture',
      step: '720p',
      width: 1280,
      height: 720,
      divisor: 1,
      kbps: 2500,
    });
    expect(plan.renditions[3]).toMatchObject({ width: 854, height: 480 });
  });

  it('exclude larger ones, and the source’s own size where that saves nothing', () => {
    const plan = planLadder(config, { ...hd, width: 1280, height: 720, kbps: 2_600 });
    expect(stepsOf(plan)).toEqual(['source', '480p', '360p', 'audio']);
    expect(plan.leftOut).toEqual([
      { step: '1080p', reason: 'larger-than-source' },
      { step: '720p', reason: 'as-source' },
    ]);
  });

  it('never exceed the source', () => {
    const plan = planLadder({ ...config, keepsSource: false }, { ...hd, kbps: 900 });
    expect(plan.renditions.map((each) => (each.kind === 'picture' ? each.kbps : 0))).toEqual([841, 560, 373, 280, 0]);
  });

  it('stay below the peak bitrate of any source', () => {
    for (const kbps of [40, 90, 107, 580, 2_500]) {
      const { renditions } = planLadder({ ...config, keepsSource: false }, { ...hd, kbps });
      const peaks = renditions.map((each) => (each.kind === 'picture' ? each.kbps * 1.07 : 0));
      expect(Math.max(...peaks)).toBeLessThanOrEqual(kbps);
    }
  });

  it('use whole fractions of the frame rate, so that keyframes stay aligned', () => {
    const steps = [{ height: 480, fps: 30, kbps: 1_000 }];
    const divisorAt = (fps: number) => planLadder({ ...config, steps }, { ...hd, fps }).renditions[1];
    expect(divisorAt(60)).toMatchObject({ divisor: 2 });
    expect(divisorAt(59.9)).toMatchObject({ divisor: 2 });
    expect(divisorAt(30.2)).toMatchObject({ divisor: 1 });
    expect(divisorAt(50)).toMatchObject({ divisor: 2 });
    expect(divisorAt(0)).toMatchObject({ divisor: 1 });
  });

  it('use the shorter side as height', () => {
    const plan = planLadder(config, { ...hd, width: 720, height: 1280 });
    expect(plan.renditions[1]).toMatchObject({ kind: 'picture', step: '720p', width: 720, height: 1280 });
    expect(plan.renditions[2]).toMatchObject({ step: '480p', width: 480, height: 854 });
  });

  it('replace a source that players cannot decode', () => {
    const plan = planLadder(config, { ...hd, videoCodec: 'HEVC' });
    expect(stepsOf(plan)).toEqual(['1080p', '720p', '480p', '360p', 'audio']);
    expect(plan.leftOut).toEqual([{ step: 'source', reason: 'codec' }]);
  });

  it('are none for audio-only sources, and have no audio if the source has none', () => {
    expect(stepsOf(planLadder(config, { ...hd, videoCodec: '', width: 0, height: 0 }))).toEqual([]);
    const silent = planLadder(config, { ...hd, audioCodec: '' });
    expect(silent.leftOut).toEqual([{ step: 'audio', reason: 'no-sound' }]);
  });
});
