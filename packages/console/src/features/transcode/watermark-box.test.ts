import { expect, test } from 'vitest';
import { watermarkBox } from './watermark-box.ts';

const part = { marginPercent: 5, widthPercent: 20 };

test.each([
  ['top-left', { left: 5, top: 10 }],
  ['top-right', { left: 75, top: 10 }],
  ['bottom-left', { left: 5, top: 70 }],
  ['bottom-right', { left: 75, top: 70 }],
] as const)('in the corner %s of a frame twice as wide as high', (corner, place) => {
  expect(watermarkBox({ ...part, corner }, 2, 2)).toEqual({ ...place, width: 20, height: 20 });
});

test('a tall watermark stays within the margins', () => {
  const box = watermarkBox({ marginPercent: 5, widthPercent: 50, corner: 'bottom-right' }, 2, 0.5);
  expect(box).toEqual({ left: 75, top: 10, width: 20, height: 80 });
});
