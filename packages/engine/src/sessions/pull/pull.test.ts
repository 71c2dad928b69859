// Tests when an on-demand pull connects, waits and disconnects, with a fake clock.
import { beforeEach, describe, expect, it } from 'vitest';
import { recordingLog } from '../../testing/recorders.ts';
import { Pull, type PullConnectionEvents } from './pull.ts';
import { noMetrics, type PullOrder } from './pull-status.ts';

const order: PullOrder = {
  ...{ id: 'camera:1#a', vhost: '__defaultVhost__', app: 'live', stream: 'door', param: '', url: 'rtsp://h/main' },
  ...{ acceptsAnyCertificate: false, transport: 'tcp', onDemand: true },
};

let now: number;
let isWatched: boolean;
let isTaken: boolean;
let connections: PullConnectionEvents[];
let closed: (string | undefined)[];
let settled: number;

beforeEach(() => {
  now = 1_000;
  isWatched = false;
  isTaken = false;
  connections = [];
  closed = [];
  settled = 0;
});

function open(changes: Partial<PullOrder> = {}): Pull {
  const pull = new Pull(
    { ...order, ...changes },
    {
      connect: (_order, events) => {
        connections.push(events);
        return { metrics: noMetrics, tick: () => undefined, close: (reason) => void closed.push(reason) };
      },
      ...{ log: recordingLog(), clock: () => now, random: () => 0 },
      ...{ isWatched: () => isWatched, isTaken: () => isTaken },
    },
  );
  pull.onSettled(() => settled++);
  return pull;
}

function pass(pull: Pull, ms: number): void {
  for (const end = now + ms; now < end; now += 250) pull.tick(now);
}

describe('a pull on demand', () => {
  it('waits for the first viewer, and disconnects 10 s after the last one', () => {
    const pull = open();
    pass(pull, 60_000);
    expect([connections.length, pull.isResting, pull.snapshot(now).state]).toEqual([0, true, 'waiting']);

    pull.request(0);
    pull.tick(now);
    expect([connections.length, pull.isStarting(8_000), pull.isResting]).toEqual([1, true, false]);
    connections[0]!.onMedia();
    expect([settled, pull.isStarting(8_000), pull.snapshot(now).state]).toEqual([1, false, 'pulling']);

    isWatched = true;
    pass(pull, 300_000);
    isWatched = false;
    pass(pull, 9_500);
    expect(closed).toEqual([]);
    pass(pull, 1_000);
    expect([closed, pull.isResting, pull.snapshot(now)]).toMatchObject([
      ['kicked'],
      true,
      { state: 'waiting', reason: 'none', reconnects: 0 },
    ]);
  });

  it('continues for viewers without a connection as long as they repeat their requests in time', () => {
    const pull = open();
    pull.request(0);
    pull.tick(now);
    connections[0]!.onMedia();
    for (let times = 0; times < 10; times++) {
      pull.request(30_000);
      pass(pull, 30_000);
    }
    expect(closed).toEqual([]);
    pass(pull, 12_000);
    expect(closed).toEqual(['kicked']);
  });

  it('retries while it is wanted, and shows the reason afterwards', () => {
    const pull = open();
    pull.request(0);
    pull.tick(now);
    connections[0]!.onFailed({ reason: 'connection-refused', detail: 'refused' });
    expect([settled, pull.isStarting(8_000), pull.snapshot(now).state]).toEqual([1, true, 'retrying']);
    pass(pull, 1_000);
    expect(connections).toHaveLength(2);
    connections[1]!.onFailed({ reason: 'not-authorized', detail: '' });
    expect(pull.isStarting(8_000)).toBe(false);
    pass(pull, 60_000);
    expect(connections).toHaveLength(2);
    expect(pull.snapshot(now)).toMatchObject({ state: 'waiting', reason: 'not-authorized', retryInMs: 0 });
  });

  it('leaves the stream to another publisher', () => {
    const pull = open();
    isTaken = true;
    isWatched = true;
    pass(pull, 5_000);
    expect([connections.length, pull.isStarting(8_000)]).toEqual([0, false]);
    isTaken = false;
    pass(pull, 500);
    expect(connections).toHaveLength(1);
  });

  it('changes to a permanent pull and back', () => {
    const pull = open();
    pull.adopt({ ...order, onDemand: false });
    pass(pull, 60_000);
    expect([connections.length, closed.length, pull.isResting]).toEqual([1, 0, false]);
    pull.adopt(order);
    pass(pull, 500);
    expect(closed).toEqual(['kicked']);
  });

  it('notifies waiting viewers when it ends', () => {
    const pull = open();
    pull.request(0);
    pull.tick(now);
    pull.close();
    expect([settled, pull.isStarting(8_000), closed.length]).toEqual([1, false, 1]);
  });
});

it('a permanent pull connects without viewers, even while there is another publisher', () => {
  isTaken = true;
  const pull = open({ onDemand: false });
  pull.tick(now);
  expect([connections.length, pull.isResting]).toEqual([1, false]);
});
