// Finds the media file of a commit whose response was lost (SearchMedia of video on demand).
import { z } from 'zod';
import type { CloudCredentials } from '../cloud.ts';
import type { CallTencent } from './tencent-api.ts';

/** Margin for clock differences, milliseconds. Tencent refuses requests if the clocks differ by more than five minutes. */
const clockMarginMs = 600_000;
/** Maximum number of media files searched, oldest first: one account uploads fewer files within the margin. */
const maxMedia = 100;

const mediaFound = z.object({
  MediaInfoSet: z.array(
    z.object({
      FileId: z.string(),
      BasicInfo: z
        .object({
          MediaUrl: z.string().nullish(),
          SourceInfo: z.object({ SourceContext: z.string().nullish() }).nullish(),
        })
        .nullish(),
    }),
  ),
});

export async function findMedium(
  call: CallTencent,
  credentials: CloudCredentials,
  { SubAppId, mark, since }: { SubAppId: number; mark: string; since: Date },
): Promise<{ fileId: string; mediaUrl: string } | undefined> {
  const { MediaInfoSet } = await call(credentials, 'vod', {
    action: 'SearchMedia',
    request: {
      SubAppId,
      SourceTypes: ['Upload'],
      CreateTime: { After: new Date(since.getTime() - clockMarginMs).toISOString() },
      Sort: { Field: 'CreateTime', Order: 'Asc' },
      Limit: maxMedia,
      Filters: ['basicInfo'],
    },
    answer: mediaFound,
  });
  const found = MediaInfoSet.find(({ BasicInfo }) => BasicInfo?.SourceInfo?.SourceContext === mark);
  return found && { fileId: found.FileId, mediaUrl: found.BasicInfo?.MediaUrl ?? '' };
}
