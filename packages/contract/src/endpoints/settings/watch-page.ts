import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxTimeTextLength, maxWatchPageLooks, maxWatchPageNameLength, maxWatchPageTextLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { expectedRevision, settingsRevision } from '../../models/settings-revision.ts';
import { paths } from '../../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';
import {
  accentColor,
  audienceChoices,
  watchPictureName,
  watchPictureUses,
  watchThemes,
} from '../../values/watch-page.ts';

const token = z.string().optional();
/** '' leaves it to less specific entries. */
const orInherited = <Schema extends z.ZodType>(schema: Schema) => z.union([z.literal(''), schema]);

const look = z.object({
  /** Which streams it is for; `*` alone for the whole server. */
  pattern: z
    .string()
    .max(maxStreamPatternLength)
    .refine(isValidStreamPattern, 'a pattern is like live/livestream, live/* or *'),
  name: z.string().max(maxWatchPageNameLength).default(''),
  text: z.string().max(maxWatchPageTextLength).default(''),
  /** Of `uploadWatchPicture`: shown while the stream is not live, and in link previews. */
  picture: orInherited(z.string().regex(watchPictureName)).default(''),
  logo: orInherited(z.string().regex(watchPictureName)).default(''),
  accent: orInherited(z.string().regex(accentColor, 'a colour is like #096b61')).default(''),
  theme: orInherited(z.enum(watchThemes)).default(''),
  /** Whether the page tells how many watch. */
  audience: orInherited(z.enum(audienceChoices)).default(''),
  /** RFC 3339. */
  startsAt: orInherited(z.iso.datetime({ offset: true }).max(maxTimeTextLength)).default(''),
});

export const queryWatchPages = defineEndpoint({
  ...paths.queryWatchPages,
  tag: 'Watching',
  summary: 'What the page for viewers looks like: for the server, for applications, for single streams.',
  request: emptyRequest,
  response: z.object({
    /** The most specific first. */
    looks: z.array(look),
    revision: settingsRevision,
  }),
});

export const updateWatchPages = defineEndpoint({
  ...paths.updateWatchPages,
  tag: 'Watching',
  summary: 'Replaces what the page for viewers looks like. What an entry leaves empty comes from less specific ones.',
  request: z.object({ token, looks: z.array(look).max(maxWatchPageLooks), revision: expectedRevision }),
  response: nullData,
});

export const uploadWatchPicture = defineEndpoint({
  ...paths.uploadWatchPicture,
  tag: 'Watching',
  summary: 'Takes a PNG, JPEG or WebP of at most 512 KiB for the page for viewers; its name goes into the settings.',
  request: z.object({
    token,
    use: z.enum(watchPictureUses),
    /** The file in Base64. */
    data: z.string().default(''),
  }),
  response: z.object({
    name: z.string(),
    /** Where everybody can see it. */
    path: z.string(),
  }),
});
