import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
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
  lingerMs = 0;

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
  it('is shared by all its viewers, and released by the last', () => {
    const output = outputs.of(stream);
    expect(outputs.of(stream)).toBe(output);
    output.viewerCount = 1;
    outputs.release(stream, output);
    expect([output.closes, stream.readerCount]).toEqual([0, 1]);
    output.viewerCount = 0;
    outputs.release(stream, output);
    expect([output.closes, stream.readerCount]).toEqual([1, 0]);
  });

  it('that has ended while its viewers are still being closed gets no new viewers, and reads no more', () => {
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

describe('an output that lingers', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const lonely = (of: Stream) => {
    const output = outputs.of(of);
    output.lingerMs = 5_000;
    outputs.release(of, output);
    return output;
  };

  it('serves a viewer that arrives in time, and is otherwise released once', () => {
    const output = lonely(stream);
    vi.advanceTimersByTime(4_999);
    expect(outputs.of(stream)).toBe(output);
    vi.advanceTimersByTime(60_000);
    expect([output.closes, stream.readerCount]).toEqual([0, 1]);
    outputs.release(stream, output);
    vi.advanceTimersByTime(5_000);
    expect([output.closes, stream.readerCount]).toEqual([1, 0]);
    expect(outputs.of(stream)).not.toBe(output);
  });

  it('that ends meanwhile gets no viewers', () => {
    const output = lonely(stream);
    output.isOver = true;
    const next = outputs.of(stream);
    expect(next).not.toBe(output);
    vi.advanceTimersByTime(60_000);
    expect([output.closes, next.closes, stream.readerCount]).toEqual([1, 0, 1]);
  });

  it('is released when too many are without viewers', () => {
    const owner = { close: () => {}, stats: () => ({ droppedFrames: 0, queuedBytes: 0 }) };
    const streams = Array.from(
      { length: 65 },
      (_, index) => hub.addPlayer(publisherSession({ type: 'flv-play', stream: `s${index}` }), owner).stream,
    );
    const all = streams.map(lonely);
    expect(all.map(({ closes }) => closes)).toEqual([1, ...Array<number>(64).fill(0)]);
    vi.advanceTimersByTime(5_000);
    expect(all.every(({ closes }) => closes === 1)).toBe(true);
  });
});
