// Parses the control plane's response about the renditions of a stream. Accepts missing and additional fields of other releases. Pure.
import { listOf, numberOrZero, object, oneOf, text } from '@srs-stack/contract/wire/lenient.ts';
import type { Multivariant } from '@srs-stack/contract/wire/multivariant.ts';

const variant = object({
  stream: text,
  peakBps: numberOrZero,
  averageBps: numberOrZero,
  width: numberOrZero,
  height: numberOrZero,
  fps: numberOrZero,
  codecs: text,
});
const response = object({
  data: object({ state: oneOf(['none', 'starting', 'ready'], 'none'), variants: listOf(variant) }),
});

/** Returns undefined for invalid JSON. */
export function parseVariants(body: string): Multivariant | undefined {
  try {
    const { state, variants } = response(JSON.parse(body)).data;
    return { state, variants: [...variants] };
  } catch {
    return undefined;
  }
}
