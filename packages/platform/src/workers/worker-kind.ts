// Kind of a worker, from its id. Components switch off kinds of workers, and nodes can be limited to kinds.
import { type WorkerKind, workerKinds } from '@srs-stack/contract';

/**
 * Returns the kind of a worker; undefined for workers without a kind, such as the demo. Ladders encode live streams and count as transcode
 * tasks.
 */
export function kindOfWorker(id: string): WorkerKind | undefined {
  if (id.startsWith('ladder:')) return 'transcode';
  return workerKinds.find((kind) => id.startsWith(kind));
}
