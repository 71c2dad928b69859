// What the transcoder makes of the picture beyond codec and bitrate: size, frame rate, keyframes, a watermark.
import { z } from 'zod';
import { transcodePictureDefaults, watermarkCorners } from '../values/transcode-picture.ts';

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

/** An uploaded picture as it is kept: a PNG, made smaller when it was large. */
export const watermarkImage = z.object({
  id: z.string(),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  sizeBytes: z.number().int(),
});
export type WatermarkImage = z.infer<typeof watermarkImage>;
