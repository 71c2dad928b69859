import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxBeianTextLength } from '../../limits.ts';
import { nullData } from '../../models/envelope.ts';
import { paths } from '../../paths.ts';

export const queryBeian = defineEndpoint({
  ...paths.queryBeian,
  tag: 'Settings',
  summary: 'Returns the page title and the filing (ICP) text of the footer.',
  request: z.object({}),
  response: z.object({ icp: z.string().optional(), title: z.string().optional() }),
});

export const updateBeian = defineEndpoint({
  ...paths.updateBeian,
  tag: 'Settings',
  summary: 'Sets one of the texts, `icp` or `title`; an empty text restores the default.',
  request: z.object({
    token: z.string().optional(),
    beian: z.enum(['icp', 'title']),
    text: z.string().max(maxBeianTextLength),
    /** Text before the operator's change; '' for none. If the stored text differs, the update fails with `settingsChanged`. */
    previous: z.string().max(maxBeianTextLength).optional(),
  }),
  response: nullData,
});
