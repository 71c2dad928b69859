// Which kind of work a worker does, by its id: kinds are what a component switches off and what a node takes.
import { type WorkerKind, workerKinds } from '@srs-stack/contract';

/** Ladders are encoders of live streams, like the transcoder. Undefined for what is of no kind, as the demo. */
export function kindOfWorker(id: string): WorkerKind | undefined {
  if (id.startsWith('ladder:')) return 'transcode';
  return workerKinds.find((kind) => id.startsWith(kind));
}
