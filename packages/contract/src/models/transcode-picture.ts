// What the transcoder makes of the picture beyond codec and bitrate: size, frame rate, keyframes, a watermark.
import { z } from 'zod';

export const watermarkCorners = ['top-left', 'top-right', 'bottom-left', 'bottom-right'] as const;
export type WatermarkCorner = (typeof watermarkCorners)[number];

/** Lengths in percent of the picture's width, so that the mark looks the same in every size. */
export const transcodeWatermark = z.object({
  /** Id of an uploaded picture. */
  image: z.string().max(64),
  corner: z.enum(watermarkCorners),
  marginPercent: z.number(),
  widthPercent: z.number(),
  opacityPercent: z.number(),
});
export type TranscodeWatermark = z.infer<typeof transcodeWatermark>;

/** What a configuration without `picture` means. */
export const transcodePictureDefaults = { height: 0, fps: 25, keyframeSeconds: 2, watermark: null };

export const transcodePicture = z.object({
  /** Rows of pixels, even; 0 as the source. A smaller source keeps its size. */
  height: z.number().default(transcodePictureDefaults.height),
  /** Frames per second; 0 as the source. */
  fps: z.number().default(transcodePictureDefaults.fps),
  /** Time between keyframes, seconds. */
  keyframeSeconds: z.number().default(transcodePictureDefaults.keyframeSeconds),
  watermark: transcodeWatermark.nullable().default(transcodePictureDefaults.watermark),
});
export type TranscodePicture = z.infer<typeof transcodePicture>;

/** How a new watermark begins. */
export const watermarkDefaults = {
  corner: 'top-right',
  marginPercent: 2,
  widthPercent: 15,
  opacityPercent: 85,
} as const satisfies Omit<TranscodeWatermark, 'image'>;

export const transcodePictureRules = {
  /** Even, as every second row carries colour; beyond 2160 no encoder here keeps up. */
  height: { min: 144, max: 2_160 },
  fps: { min: 5, max: 60 },
  keyframeSeconds: { min: 1, max: 10 },
  marginPercent: { min: 0, max: 10 },
  widthPercent: { min: 2, max: 50 },
  opacityPercent: { min: 5, max: 100 },
} as const;

/** An uploaded picture as it is kept: a PNG, made smaller when it was large. */
export const watermarkImage = z.object({
  id: z.string(),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  sizeBytes: z.number().int(),
});
export type WatermarkImage = z.infer<typeof watermarkImage>;
