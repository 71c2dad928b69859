// Reads the priority of an encoder from its publish address: `priority=2` announces a spare encoder.
import type { ClientType, SessionInfo } from '../../session-info.ts';

const encoders: ReadonlySet<ClientType> = new Set([
  ...(['fmle-publish', 'flash-publish', 'haivision-publish', 'srt-publish', 'rtsp-publish', 'rtc-publish'] as const),
]);

/** Other values are ignored, because a parameter of this name may have another purpose. */
const validPriority = /^\d{1,2}$/;

/** Returns 2 to 99 for a spare encoder, undefined for other publishers. */
export function sparePriorityOf({ type, param }: Pick<SessionInfo, 'type' | 'param'>): number | undefined {
  if (!encoders.has(type)) return undefined;
  const text = new URLSearchParams(param).get('priority') ?? '';
  const priority = validPriority.test(text) ? Number(text) : 1;
  return priority > 1 ? priority : undefined;
}
