// The node of a cluster that stores the files of a recording or an upload.
import { z } from 'zod';

export const fileNode = z.object({
  id: z.string(),
  /** Display name; for a node that has left the cluster, its last name. */
  name: z.string(),
  /** True when the node is unreachable: files that only it has can be neither played nor changed until it is up again. */
  isAway: z.boolean(),
});
export type FileNode = z.infer<typeof fileNode>;
