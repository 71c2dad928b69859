// What the control planes of a cluster ask each other to do with files that only one of them has (`node-calls.ts`).
import { z } from 'zod';
import { maxLabelLength, maxPlaylistFiles } from '../limits.ts';
import { mediaSourceItem } from './media-source.ts';

const uuid = z.string().min(1).max(64);
/** Address of who asked the other node; '' for nobody. */
const ip = z.string().max(64);

/** Something to be done with a recording by the node that has it. */
export const recordOrder = z.discriminatedUnion('action', [
  z.object({ action: z.literal('end'), uuid, ip }),
  z.object({ action: z.literal('remove'), uuid, forever: z.boolean(), ip }),
  z.object({ action: z.literal('restore'), uuid, ip }),
  z.object({ action: z.literal('empty-bin'), ip }),
]);
export type RecordOrder = z.infer<typeof recordOrder>;

/** Files of a virtual live that the node has are to be its source. */
export const vliveSourceOrder = z.object({
  platform: z.string().max(maxLabelLength),
  files: z.array(mediaSourceItem).max(maxPlaylistFiles),
  ip,
});
export type VliveSourceOrder = z.infer<typeof vliveSourceOrder>;
