// What is checked before a forward target is saved, in this order. Pure.
import type { ForwardTarget } from '@srs-stack/contract';
import { isValidStreamName } from '@srs-stack/contract/stream-name.ts';

export type ForwardProblem = 'server' | 'label' | 'stream';

/** The first broken rule: an address, a name for a custom platform, a source stream that can exist. */
export function validateForward(
  target: Pick<ForwardTarget, 'server' | 'custom' | 'label' | 'stream'>,
): ForwardProblem | undefined {
  if (target.server.trim() === '') return 'server';
  if (target.custom && target.label.trim() === '') return 'label';
  if (target.stream !== '' && !isValidStreamName(target.stream)) return 'stream';
  return undefined;
}

/** First values of a platform that was never saved. */
export function emptyForward(platform: string, server: string, custom: boolean): ForwardTarget {
  return { platform, server, secret: '', enabled: false, custom, label: '', stream: '' };
}
