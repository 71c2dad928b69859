import { describe, expect, it } from 'vitest';
import { createStreamImages, imageCacheMs } from './stream-images.ts';

function rig({ hasKeyframe = true } = {}) {
  const state = { nowMs: 0, taken: 0, atOnce: 0, mostAtOnce: 0, release: [] as (() => void)[] };
  const readKeyframe = async (id: string) => {
    if (id === 'away') throw new Error('the media server is away');
    return hasKeyframe ? Buffer.from('k') : undefined;
  };
  const pictures = createStreamImages({
    mediaServer: { readKeyframe },
    takeScreenshot: async (bytes, signal) => {
      state.taken++;
      state.atOnce++;
      state.mostAtOnce = Math.max(state.mostAtOnce, state.atOnce);
      await new Promise<void>((resolve) => state.release.push(resolve));
      state.atOnce--;
      return signal.aborted ? undefined : Buffer.concat([bytes, Buffer.from('-jpeg')]);
    },
    now: () => new Date(state.nowMs),
  });
  const releaseAll = async () => {
    for (let turn = 0; turn < 50; turn++) {
      for (const release of state.release.splice(0)) release();
      await Promise.resolve();
    }
  };
  return { pictures, state, releaseAll };
}

const expected = `data:image/jpeg;base64,${Buffer.from('k-jpeg').toString('base64')}`;

describe('preview images of live streams', () => {
  it('are made once for all requests, and again when they are old', async () => {
    const { pictures, state, releaseAll } = rig();
    const found = [pictures.find('a'), pictures.find('a')];
    await releaseAll();
    expect(await Promise.all(found)).toEqual([expected, expected]);
    expect(state.taken).toBe(1);
    state.nowMs = imageCacheMs;
    const later = pictures.find('a');
    await releaseAll();
    expect(await later).toBe(expected);
    expect(state.taken).toBe(2);
  });

  it('are made sequentially', async () => {
    const { pictures, state, releaseAll } = rig();
    const found = ['a', 'b', 'c'].map((id) => pictures.find(id));
    await releaseAll();
    expect(await Promise.all(found)).toEqual([expected, expected, expected]);
    expect(state.mostAtOnce).toBe(1);
  });

  it('are null, not an error, without a keyframe, a media server or a decoder', async () => {
    expect(await rig({ hasKeyframe: false }).pictures.find('a')).toBeNull();
    expect(await rig().pictures.find('away')).toBeNull();
    const { pictures, releaseAll } = rig();
    const found = pictures.find('a');
    pictures.close();
    await releaseAll();
    expect(await found).toBeNull();
  });
});
