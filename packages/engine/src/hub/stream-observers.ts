// Observers of starting and ending streams. An observer that throws is reported, and the next observer is still called.
import type { ReportFault } from '../faults.ts';
import type { Stream } from './stream.ts';
import type { StreamEndReason } from './stream-reader.ts';

export type StreamStartObserver = (stream: Stream) => void;
export type StreamEndObserver = (stream: Stream, reason: StreamEndReason) => void;

export class StreamObservers {
  readonly #start = new Set<StreamStartObserver>();
  readonly #end = new Set<StreamEndObserver>();
  readonly #onFault: ReportFault;

  constructor(onFault: ReportFault) {
    this.#onFault = onFault;
  }

  onStart(observer: StreamStartObserver): () => void {
    this.#start.add(observer);
    return () => this.#start.delete(observer);
  }

  onEnd(observer: StreamEndObserver): () => void {
    this.#end.add(observer);
    return () => this.#end.delete(observer);
  }

  notifyStart(stream: Stream): void {
    for (const observer of this.#start) this.#guard(() => observer(stream));
  }

  notifyEnd(stream: Stream, reason: StreamEndReason): void {
    for (const observer of this.#end) this.#guard(() => observer(stream, reason));
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#onFault(error, {}, 'stream observer failed');
    }
  }
}
