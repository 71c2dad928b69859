// The node of a cluster that stores a recording or an uploaded file.
import { z } from 'zod';

export const fileNode = z.object({
  id: z.string(),
  /** Display name, or last known name of a node that has left the cluster. */
  name: z.string(),
  /** The node is unreachable. Files that exist only on this node cannot be played or changed meanwhile. */
  isAway: z.boolean(),
});
export type FileNode = z.infer<typeof fileNode>;
