// Validation before a forward target is saved. Pure.
import type { ForwardTarget } from '@srs-stack/contract';
import { forwardBitrates, maxForwardDelaySeconds } from '@srs-stack/contract/limits.ts';
import { isValidStreamName } from '@srs-stack/contract/stream-name.ts';

export type ForwardProblem = 'server' | 'label' | 'stream' | 'delay' | 'encode' | 'encodeDelay';

/** Returns the first violated rule: address, name of a custom platform, source stream, delay, bitrate, no delay of an encoded stream. */
export function validateForward(
  target: Pick<ForwardTarget, 'server' | 'custom' | 'label' | 'stream' | 'delaySeconds' | 'encodeKbps'>,
): ForwardProblem | undefined {
  if (target.server.trim() === '') return 'server';
  if (target.custom && target.label.trim() === '') return 'label';
  if (target.stream !== '' && !isValidStreamName(target.stream)) return 'stream';
  const { delaySeconds = 0 } = target;
  if (!Number.isInteger(delaySeconds) || delaySeconds < 0 || delaySeconds > maxForwardDelaySeconds) return 'delay';
  const { encodeKbps = 0 } = target;
  const { min, max } = forwardBitrates;
  if (encodeKbps !== 0 && !(Number.isInteger(encodeKbps) && encodeKbps >= min && encodeKbps <= max)) return 'encode';
  if (encodeKbps !== 0 && delaySeconds > 0) return 'encodeDelay';
  return undefined;
}

/** Initial values of a platform that was never saved. */
export function emptyForward(platform: string, server: string, custom: boolean): ForwardTarget {
  return { platform, server, secret: '', enabled: false, custom, label: '', stream: '' };
}
