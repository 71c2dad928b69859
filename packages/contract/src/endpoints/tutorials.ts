import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { paths } from '../paths.ts';

const count = z.number().int().nonnegative();

/** Fields of a tutorial video; further fields from the video site are passed through. */
export const videoFacts = z.looseObject({
  title: z.string(),
  desc: z.string(),
  /** All zero while the counts are unknown. */
  stat: z.looseObject({ view: count, like: count, share: count }),
});
export type VideoFacts = z.infer<typeof videoFacts>;

export const bilibili = defineEndpoint({
  ...paths.bilibili,
  tag: 'Management',
  summary:
    'Returns the title and counters (such as views) of a tutorial video. The data is at most a day old; built-in tutorials need no internet access.',
  request: z.object({
    token: z.string().optional(),
    /** Id of the video: `BV` and ten letters or digits. */
    bvid: z.string().regex(/^BV[0-9A-Za-z]{10}$/),
  }),
  response: videoFacts,
});
