import { expect, it } from 'vitest';
import { mediaSource } from './media-source.ts';

it('a source keeps the numbers of a probe and clamps values beyond its limits', () => {
  const video = { width: 1_280, height: 720, level: -99 };
  const probed = mediaSource.parse({ size: 12_345_678_901, video });
  expect(probed).toMatchObject({ size: 12_345_678_901, video });
  const invented = mediaSource.parse({ size: 1e300, video: { width: 1e300, height: -1e300, level: -1e300 } });
  expect(invented).toMatchObject({
    size: Number.MAX_SAFE_INTEGER,
    video: { width: 16_384, height: 0, level: -Number.MAX_SAFE_INTEGER },
  });
});
