// What a gateway asks the control plane for a playlist of all renditions, and the answer.
import { z } from 'zod';

export const multivariantQuestion = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Only asked whether there is one: nothing begins. */
  isPeek: z.boolean().default(false),
});

const variant = z.object({
  /** Name of the stream that carries it, in the same app. */
  stream: z.string(),
  /** Bits per second: of the largest segment, and of all that are listed. */
  peakBps: z.number().int(),
  averageBps: z.number().int(),
  /** Pixels; 0 without a picture. */
  width: z.number().int(),
  height: z.number().int(),
  /** Frames per second; 0 while not known. */
  fps: z.number(),
  /** RFC 6381, with commas; '' while not known. */
  codecs: z.string(),
});
export type Variant = z.infer<typeof variant>;

export const multivariant = z.object({
  /** `none`: the stream is not live, or has no ladder. `starting`: more variants come within seconds. */
  state: z.enum(['none', 'starting', 'ready']),
  /** The best first; while it starts, the stream alone. */
  variants: z.array(variant),
});
export type Multivariant = z.infer<typeof multivariant>;
