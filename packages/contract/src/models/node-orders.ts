// Requests between the control planes of a cluster about files that exist only on one node (`node-calls.ts`).
import { z } from 'zod';
import { maxLabelLength, maxPlaylistFiles } from '../limits.ts';
import { mediaSourceItem } from './media-source.ts';
import { recordLabel } from './recording.ts';

const uuid = z.string().min(1).max(64);
/** Address of the client whose request the calling node passes on; '' without a client. */
const ip = z.string().max(64);

/** An operation on a recording, executed on the node that stores its files. */
export const recordOrder = z.discriminatedUnion('action', [
  z.object({ action: z.literal('end'), uuid, ip }),
  z.object({ action: z.literal('label'), uuid, label: recordLabel.partial(), ip }),
  z.object({ action: z.literal('remove'), uuid, forever: z.boolean(), ip }),
  z.object({ action: z.literal('restore'), uuid, ip }),
  z.object({ action: z.literal('empty-bin'), ip }),
]);
export type RecordOrder = z.infer<typeof recordOrder>;

/** Requests that files of a node become the source of a virtual live stream. */
export const vliveSourceOrder = z.object({
  platform: z.string().max(maxLabelLength),
  files: z.array(mediaSourceItem).max(maxPlaylistFiles),
  ip,
});
export type VliveSourceOrder = z.infer<typeof vliveSourceOrder>;
