// Request of a gateway to the control plane for a master playlist, and the response.
import { z } from 'zod';

export const multivariantQuestion = z.object({
  vhost: z.string(),
  app: z.string(),
  stream: z.string(),
  /** Queries whether a ladder exists, without starting the ladder. */
  isPeek: z.boolean().default(false),
});

const variant = z.object({
  /** Name of the stream that carries this variant. */
  stream: z.string(),
  /** Bits per second: peak of a segment, and mean of all segments in the playlist. */
  peakBps: z.number().int(),
  averageBps: z.number().int(),
  /** Pixels; 0 without video. */
  width: z.number().int(),
  height: z.number().int(),
  /** Frames per second; 0 while unknown. */
  fps: z.number(),
  /** RFC 6381 codec names, comma-separated; '' while unknown. */
  codecs: z.string(),
});
export type Variant = z.infer<typeof variant>;

export const multivariant = z.object({
  /** `none`: no live stream has this name, or the stream has no ladder. `starting`: more variants follow within seconds. */
  state: z.enum(['none', 'starting', 'ready']),
  /** Best variant first. While the ladder starts, only the source. */
  variants: z.array(variant),
});
export type Multivariant = z.infer<typeof multivariant>;
