// Seeded random scenarios: publishers connect, disconnect, jump and take over; viewers join, stall and leave. Viewers always get valid FLV
// with monotonic times, and video that starts with a keyframe.

import { audio, keyframe, video } from '@srs-stack/media/testing/media.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Publication } from '../src/hub/stream-hub.ts';
import { type FlvRig, type FlvTag, type FlvViewer, startFlvRig, watchHttp } from './flv-rig.ts';
import { until } from './rtmp-server.ts';

type Step =
  | { readonly do: 'send'; readonly frames: number; readonly bytes: number; readonly hasAudio: boolean }
  | { readonly do: 'jump'; readonly toMs: number }
  | { readonly do: 'join' | 'leave' | 'stall' | 'reconnect' | 'takeover' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      frames: fc.integer({ min: 1, max: 60 }),
      bytes: fc.integer({ min: 10, max: 20_000 }),
      hasAudio: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('jump' as const), toMs: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('join', 'leave', 'stall', 'reconnect', 'takeover') }) },
);

class Scenario {
  readonly viewers: FlvViewer[] = [];
  readonly #rig: FlvRig;
  #publication: Publication;
  #rawMs = 0;
  #frame = 0;

  constructor(rig: FlvRig) {
    this.#rig = rig;
    this.#publication = rig.publish();
  }

  async run(step: Step): Promise<void> {
    if (step.do === 'send') for (let i = 0; i < step.frames; i++) this.#send(step.bytes, step.hasAudio);
    else if (step.do === 'jump') this.#rawMs = step.toMs;
    else if (step.do === 'join') this.viewers.push(await watchHttp(this.#rig));
    else if (step.do === 'leave') this.viewers.pop()?.leave();
    else if (step.do === 'stall') this.viewers[0]?.response.pause();
    else this.#replacePublisher(step.do === 'reconnect');
  }

  /** Sends enough media for every viewer to get a keyframe, and lets stalled viewers read again. */
  finish(): void {
    for (let i = 0; i < 60; i++) this.#send(100, true);
    for (const { response } of this.viewers) response.resume();
  }

  #send(bytes: number, hasAudio: boolean): void {
    this.#rawMs = (this.#rawMs + 40) % 2 ** 32;
    this.#publication.push((this.#frame++ % 25 === 0 ? keyframe : video)(this.#rawMs, { bytes }));
    if (hasAudio) this.#publication.push(audio((this.#rawMs + 7) % 2 ** 32));
  }

  #replacePublisher(isDisconnected: boolean): void {
    if (isDisconnected) this.#publication.end('error');
    else this.#rig.skip(3000);
    this.#publication = this.#rig.publish();
    this.#frame = 0;
  }
}

function check(tags: readonly FlvTag[]): void {
  const last = new Map<number, number>();
  for (const { type, timestampMs, body } of tags) {
    if (type === 18 || body[1] === 0) continue;
    expect(timestampMs).toBeGreaterThanOrEqual(last.get(type) ?? 0);
    if (type === 9 && !last.has(9)) expect(body[0]).toBe(0x17);
    last.set(type, timestampMs);
  }
}

describe('FLV viewers of an erratic publisher', () => {
  it('get valid FLV, and those that stay get its end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const rig = await startFlvRig({ config: { viewerQueue: { maxBytes: 200_000, maxDurationMs: 5000 } } });
        try {
          const scenario = new Scenario(rig);
          for (const next of steps) await scenario.run(next);
          scenario.finish();
          const newest = () => Math.max(0, ...scenario.viewers.map(({ flv }) => flv.videoTimes.at(-1) ?? 0));
          await until(() =>
            scenario.viewers.every(({ flv }) => flv.videoTimes.length > 0 && flv.videoTimes.at(-1) === newest()),
          );
          for (const { flv } of scenario.viewers) check(flv.tags);
          await until(() => rig.hub.totals().connections === 1 + scenario.viewers.length);
        } finally {
          await rig.close();
        }
      }),
      { seed: 20261121, numRuns: 40 },
    );
  });
});
