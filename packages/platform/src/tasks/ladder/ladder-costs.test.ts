import { ladderPresets } from '@srs-stack/contract';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { EncodeOrder } from '../../workers/encoder-probe.ts';
import { LadderCostMeter } from './ladder-costs.ts';

/** A meter whose CPU time grows with the number of pixels. @param cost cores for 1080p. */
function meter({ cores, cost }: { cores: number; cost: number }) {
  const measured: (EncodeOrder | undefined)[] = [];
  const factor = { ultrafast: 0.4, superfast: 0.6, veryfast: 1, faster: 1.3, fast: 1.6 };
  const made = new LadderCostMeter({
    cores,
    log: pino({ enabled: false }),
    tryEncoder: async (encoder) => (encoder === 'libx264' ? { ok: true } : { ok: false, why: 'no device' }),
    openProbes: () => ({
      measure: async (order) => {
        measured.push(order);
        return { ok: true, cores: 0.1 + (order ? cost * factor[order.speed] * (order.height / 1_080) ** 2 : 0) };
      },
      close: async () => undefined,
    }),
  });
  return { made, measured };
}

const wanted = { encoder: 'libx264', speed: 'veryfast', steps: ladderPresets } as const;

describe('cost of a ladder', () => {
  it('is returned when measured, and measured once', async () => {
    const { made, measured } = meter({ cores: 2, cost: 0.6 });
    expect(made.query(wanted)).toMatchObject({ isMeasuring: true, steps: [], proposal: null });
    await made.settled();
    const known = made.query(wanted);
    expect(known).toMatchObject({ isMeasuring: false, decodeCores: 0.1 });
    expect(known.steps.map(({ cores }) => cores)).toEqual([0.6, 0.27, 0.12, 0.07]);
    expect(known.encoders[1]).toEqual({ encoder: 'h264_nvenc', isUsable: false, why: 'no device' });
    const count = measured.length;
    made.query(wanted);
    await made.settled();
    expect(measured).toHaveLength(count);
  });

  it.each([
    { cores: 8, cost: 1, proposal: { speed: 'veryfast', heights: [720, 480, 360] } },
    { cores: 2, cost: 2, proposal: { speed: 'superfast', heights: [720, 480, 360] } },
    { cores: 1, cost: 4, proposal: { speed: 'ultrafast', heights: [480, 360] } },
    { cores: 1, cost: 40, proposal: { speed: 'ultrafast', heights: [360] } },
  ])('proposes an encoder setting that fits a machine with $cores cores', async ({ proposal, ...machine }) => {
    const { made } = meter(machine);
    made.query(wanted);
    await made.settled();
    expect(made.query(wanted).proposal).toEqual({ encoder: 'libx264', ...proposal });
  });
});
