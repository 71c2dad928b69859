// Evaluates the response of a callback target. HTTP 200 with `0`, or with a JSON object whose `code` is 0 or absent, means accepted.
import type { HookDelivery } from '@srs-stack/contract';

type CallbackProblem = NonNullable<HookDelivery['problem']>;

/** `failed` means that there is no complete response, e.g. after a timeout or for a refused address. */
export type CallbackResponse =
  | { readonly kind: 'response'; readonly status: number; readonly text: string }
  | { readonly kind: 'failed'; readonly problem: CallbackProblem; readonly detail: string };

export type Judgement =
  | { readonly outcome: 'accepted' }
  | { readonly outcome: 'refused' | 'failed'; readonly problem: CallbackProblem; readonly detail: string };

export function judge(response: CallbackResponse): Judgement {
  if (response.kind === 'failed') return { outcome: 'failed', problem: response.problem, detail: response.detail };
  const { status, text } = response;
  if (status !== 200) return refuse('status', `the target returned HTTP ${status}`);
  const body = text.trim();
  if (body === '') return refuse('empty', 'the target returned an empty body');
  const code = codeOf(body);
  if (code === undefined)
    return refuse('not-understood', 'the response is neither a number nor a JSON object with a code');
  return code === 0 ? { outcome: 'accepted' } : refuse('code', `the target returned code ${code}`);
}

/** Validity of the verdict in seconds: `cache` of the JSON object. Undefined without a valid value. */
export function cacheSecondsOf(text: string): number | undefined {
  const { cache } = parseObject(text) ?? {};
  return typeof cache === 'number' && Number.isFinite(cache) && cache >= 0 ? cache : undefined;
}

function refuse(problem: CallbackProblem, detail: string): Judgement {
  return { outcome: 'refused', problem, detail };
}

/** Code of a response body: a decimal integer, or `code` of an object (0 if absent). Undefined for any other body. */
function codeOf(body: string): number | undefined {
  if (/^[+-]?\d+$/.test(body)) return Number(body);
  const { code = 0 } = parseObject(body) ?? { code: null };
  return typeof code === 'number' && Number.isInteger(code) ? code : undefined;
}

function parseObject(text: string): { code?: unknown; cache?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
