import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxTimeTextLength, maxWatchPageLooks, maxWatchPageNameLength, maxWatchPageTextLength } from '../../limits.ts';
import { settingCalls } from '../../models/setting.ts';
import { paths } from '../../paths.ts';
import { isValidStreamPattern, maxStreamPatternLength } from '../../stream-pattern.ts';
import { accentColor, audienceChoices, watchImageName, watchImageUses, watchThemes } from '../../values/watch-page.ts';

const token = z.string().optional();
/** '' uses the value of a less specific entry. */
const orInherited = <Schema extends z.ZodType>(schema: Schema) => z.union([z.literal(''), schema]);

const look = z.object({
  /** Pattern of streams; `*` means the whole server. */
  pattern: z
    .string()
    .max(maxStreamPatternLength)
    .refine(isValidStreamPattern, 'a pattern must have the form live/livestream, live/* or *'),
  name: z.string().max(maxWatchPageNameLength).default(''),
  text: z.string().max(maxWatchPageTextLength).default(''),
  /** File from `uploadWatchPicture`, shown while the stream is not live, and in link previews. */
  picture: orInherited(z.string().regex(watchImageName)).default(''),
  logo: orInherited(z.string().regex(watchImageName)).default(''),
  accent: orInherited(z.string().regex(accentColor, 'a colour must have the form #096b61')).default(''),
  theme: orInherited(z.enum(watchThemes)).default(''),
  audience: orInherited(z.enum(audienceChoices)).default(''),
  /** RFC 3339. */
  startsAt: orInherited(z.iso.datetime({ offset: true }).max(maxTimeTextLength)).default(''),
});

export const { query: queryWatchPages, update: updateWatchPages } = settingCalls({
  tag: 'Playback access',
  query: {
    ...paths.queryWatchPages,
    summary: 'Returns the appearance of the watch page for the server, applications and single streams.',
  },
  update: {
    ...paths.updateWatchPages,
    summary: 'Replaces the appearance of the watch page. Empty fields inherit from less specific entries.',
  },
  /** Most specific entries first. */
  shown: { looks: z.array(look) },
  sent: { looks: z.array(look).max(maxWatchPageLooks) },
});

export const uploadWatchPicture = defineEndpoint({
  ...paths.uploadWatchPicture,
  tag: 'Playback access',
  summary: 'Uploads a PNG, JPEG or WebP of at most 512 KiB for the watch page; use its name in the settings.',
  request: z.object({
    token,
    use: z.enum(watchImageUses),
    /** The file in Base64. */
    data: z.string().default(''),
  }),
  response: z.object({
    name: z.string(),
    /** Public path of the image. */
    path: z.string(),
  }),
});
