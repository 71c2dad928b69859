// Video settings of the transcoder, without codec and bitrate.
import { z } from 'zod';
import { transcodePictureDefaults, watermarkCorners } from '../values/transcode-picture.ts';

/** A watermark. Lengths are in percent of the video width, so that the watermark scales with the resolution. */
export const transcodeWatermark = z.object({
  image: z.string().max(64),
  corner: z.enum(watermarkCorners),
  marginPercent: z.number(),
  widthPercent: z.number(),
  opacityPercent: z.number(),
});
export type TranscodeWatermark = z.infer<typeof transcodeWatermark>;

export const transcodePicture = z.object({
  /** Height in pixels, even; 0 keeps the source's height. Smaller sources are not enlarged. */
  height: z.number().default(transcodePictureDefaults.height),
  /** Frames per second; 0 keeps the source's rate. */
  fps: z.number().default(transcodePictureDefaults.fps),
  /** Time between keyframes, seconds. */
  keyframeSeconds: z.number().default(transcodePictureDefaults.keyframeSeconds),
  watermark: transcodeWatermark.nullable().default(transcodePictureDefaults.watermark),
});
export type TranscodePicture = z.infer<typeof transcodePicture>;

/** A stored image: PNG, scaled down if larger than the limit. */
export const watermarkImage = z.object({
  id: z.string(),
  /** Pixels. */
  width: z.number().int(),
  height: z.number().int(),
  sizeBytes: z.number().int(),
});
export type WatermarkImage = z.infer<typeof watermarkImage>;
