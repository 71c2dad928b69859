// The server of a cluster that has the files of a recording or an upload.
import { z } from 'zod';

export const fileNode = z.object({
  id: z.string(),
  /** As people know it; of one that has left, the last name it had. */
  name: z.string(),
  /** It is not reached: what lies on it alone can be neither played nor changed until it is back. */
  isAway: z.boolean(),
});
export type FileNode = z.infer<typeof fileNode>;
