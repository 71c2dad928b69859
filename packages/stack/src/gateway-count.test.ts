import { StartRefusal } from '@srs-stack/process/start-refusal.ts';
import { describe, expect, it } from 'vitest';
import { gatewayCount, maxGateways } from './gateway-count.ts';

describe('the number of gateways', () => {
  it.each([
    [{}, 8, 1],
    [{ GATEWAYS: '3' }, 2, 3],
    [{ GATEWAYS: 'auto' }, 1, 1],
    [{ GATEWAYS: 'auto' }, 2, 1],
    [{ GATEWAYS: 'AUTO' }, 9, 4],
    [{ GATEWAYS: 'auto' }, 128, maxGateways],
    [{ GATEWAYS: '99' }, 4, maxGateways],
    [{ GATEWAYS: '4', MEDIA_SERVER: 'srs' }, 8, 1],
  ])('of %o on %i cores is %i', (environment: Record<string, string>, cores, count) => {
    expect(gatewayCount(environment, cores)).toBe(count);
  });

  it.each(['0', '-1', '1.5', 'many'])('is not %s', (text) => {
    expect(() => gatewayCount({ GATEWAYS: text }, 4)).toThrow(StartRefusal);
  });
});
