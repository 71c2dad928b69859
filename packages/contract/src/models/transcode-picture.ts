// Video settings of the transcoder besides codec and bitrate: resolution, frame rate, keyframes, a watermark.
import { z } from 'zod';
import { transcodePictureDefaults, watermarkCorners } from '../values/transcode-picture.ts';

/** Lengths in percent of the video width, so that the watermark looks the same at every resolution. */
export const transcodeWatermark = z.object({
  /** Id of the uploaded image. */
  image: z.string().max(64),
  corner: z.enum(watermarkCorners),
  marginPercent: z.number(),
  widthPercent: z.number(),
  opacityPercent: z.number(),
});
export type TranscodeWatermark = z.infer<typeof transcodeWatermark>;

export const transcodePicture = z.object({
  /** Height, pixels, even; 0: as the source. Smaller sources are not enlarged. */
  height: z.number().default(transcodePictureDefaults.height),
  /** Frames per second; 0: as the source. */
  fps: z.number().default(transcodePictureDefaults.fps),
  /** Time between keyframes, seconds. */
  keyframeSeconds: z.number().default(transcodePictureDefaults.keyframeSeconds),
  watermark: transcodeWatermark.nullable().default(transcodePictureDefaults.watermark),
});
export type TranscodePicture = z.infer<typeof transcodePicture>;

/** An uploaded image as stored: a PNG, scaled down if it was large. */
export const watermarkImage = z.object({
  id: z.string(),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  sizeBytes: z.number().int(),
});
export type WatermarkImage = z.infer<typeof watermarkImage>;
