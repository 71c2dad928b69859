// Kind of a worker, from its id: components switch off kinds, and nodes accept kinds.
import { type WorkerKind, workerKinds } from '@srs-stack/contract';

/**
 * The kind of a worker. Ladders encode live streams and count as transcode tasks. Undefined for a worker without a kind, such as the demo.
 */
export function kindOfWorker(id: string): WorkerKind | undefined {
  if (id.startsWith('ladder:')) return 'transcode';
  return workerKinds.find((kind) => id.startsWith(kind));
}
