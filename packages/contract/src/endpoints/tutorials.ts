import { z } from 'zod';
import { defineEndpoint } from '../endpoint.ts';
import { paths } from '../paths.ts';

const count = z.number().int().nonnegative();

/** Metadata of a tutorial video, including unknown fields from the video site. */
export const videoFacts = z.looseObject({
  title: z.string(),
  desc: z.string(),
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
    /** Video id: `BV` and ten letters or digits. */
    bvid: z.string().regex(/^BV[0-9A-Za-z]{10}$/),
  }),
  response: videoFacts,
});
