export const watermarkCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type WatermarkCorner = (typeof watermarkCorners)[number];

export const transcodePictureDefaults = { height: 0, fps: 25, keyframeSeconds: 2, watermark: null };

export const watermarkDefaults = {
  corner: 'top-right',
  marginPercent: 2,
  widthPercent: 15,
  opacityPercent: 85,
} as const;

export const transcodePictureRules = {
  /** Even, because chroma is subsampled by two; above 2160, encoders are too slow. */
  height: { min: 144, max: 2_160 },
  fps: { min: 5, max: 60 },
  keyframeSeconds: { min: 1, max: 10 },
  marginPercent: { min: 0, max: 10 },
  widthPercent: { min: 2, max: 50 },
  opacityPercent: { min: 5, max: 100 },
} as const;
