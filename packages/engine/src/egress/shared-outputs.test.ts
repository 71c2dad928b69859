import { beforeEach, describe, expect, it } from 'vitest';
import { type Stream, StreamHub } from '../hub/stream-hub.ts';
import { publisherSession, RecordingReader, recordingLog } from '../testing/recorders.ts';
import { type SharedOutput, SharedOutputs } from './shared-outputs.ts';

const config = {
  gopCache: { maxBytes: 1e6, maxDurationMs: 30_000 },
  takeoverSilenceMs: 3000,
  firstPacketTimeoutMs: 20_000,
  publisherTimeoutMs: 30_000,
};

class RecordingOutput extends RecordingReader implements SharedOutput {
  viewerCount = 0;
  isOver = false;
  closes = 0;

  close(): void {
    this.closes++;
  }
}

let hub: StreamHub;
let outputs: SharedOutputs<RecordingOutput>;
let stream: Stream;

beforeEach(() => {
  hub = new StreamHub({ config, log: recordingLog(), clock: () => 0 });
  const owner = { close: () => {}, stats: () => ({ droppedFrames: 0, queuedBytes: 0 }) };
  stream = hub.addPlayer(publisherSession({ type: 'flv-play' }), owner).stream;
  outputs = new SharedOutputs(hub, () => new RecordingOutput());
});

describe('the output of a stream', () => {
  it('is shared by all its viewers, and let go of by the last', () => {
    const output = outputs.of(stream);
    expect(outputs.of(stream)).toBe(output);
    output.viewerCount = 1;
    outputs.release(stream, output);
    expect([output.closes, stream.readerCount]).toEqual([0, 1]);
    output.viewerCount = 0;
    outputs.release(stream, output);
    expect([output.closes, stream.readerCount]).toEqual([1, 0]);
  });

  it('that is over while its viewers are still being closed is not given to new ones, and reads no more', () => {
    const over = outputs.of(stream);
    over.viewerCount = 1;
    over.isOver = true;
    const next = outputs.of(stream);
    expect(next).not.toBe(over);
    expect([over.closes, stream.readerCount]).toEqual([1, 1]);
    over.viewerCount = 0;
    outputs.release(stream, over);
    expect(outputs.of(stream)).toBe(next);
  });
});
