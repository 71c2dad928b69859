// Computes the position of a watermark as FFmpeg places it. Pure.
import type { TranscodeWatermark } from '@srs-stack/contract';

/** Position and size in percent of the frame, for style properties. */
export interface WatermarkBox {
  left: number;
  top: number;
  width: number;
  height: number;
}

/**
 * The watermark and its margins always fit into the frame.
 * @param aspect width of the frame divided by its height.
 * @param markAspect width of the watermark divided by its height.
 */
export function watermarkBox(
  { corner, marginPercent, widthPercent }: Omit<TranscodeWatermark, 'image' | 'opacityPercent'>,
  aspect: number,
  markAspect: number,
): WatermarkBox {
  const rows = 100 / aspect;
  const width = Math.min(widthPercent, (rows - 2 * marginPercent) * markAspect);
  const height = width / markAspect;
  const left = corner.endsWith('left') ? marginPercent : 100 - width - marginPercent;
  const top = corner.startsWith('top') ? marginPercent : rows - height - marginPercent;
  return { left, top: (top / rows) * 100, width, height: (height / rows) * 100 };
}
