// Converts any thrown value to the content of the error alert. Pure.
import type { ErrorName } from '@srs-stack/contract';
import { errorNameOfCode } from '@srs-stack/contract/errors.ts';
import { ApiError } from '../../api/api-error.ts';

/** Errors without a text in the locale files. The pages on which these errors occur show the server's message. */
const explainedByPages = /^(?:callback|certificate|domain)/;
type ExplainedByPages = Extract<ErrorName, `${'callback' | 'certificate' | 'domain'}${string}`>;

type Explanation = Exclude<ErrorName, ExplainedByPages> | 'network' | 'timeout' | 'malformed';

export interface ErrorDescription {
  /** Text key of the explanation; undefined without an explanation. */
  explanation?: Explanation;
  /** Shows only code and message. */
  isBrief?: boolean;
  /** Facts for support, in display order. */
  facts: readonly { name: ErrorFact; value: string; isBlock?: boolean }[];
  requestId?: string;
}

type ErrorFact = 'code' | 'message' | 'request' | 'status' | 'data' | 'name' | 'stack' | 'object' | 'empty';

/** Error codes whose explanation needs no raw response. */
const briefCodes: readonly number[] = [1007, 2001, 3001];

export function describeError(error: unknown): ErrorDescription {
  if (error instanceof ApiError) return describeApiError(error);
  if (error instanceof Error) return describePlainError(error);
  if (error === undefined || error === null || error === '') return { facts: [{ name: 'empty', value: '' }] };
  return { facts: [{ name: 'object', value: toJson(error), isBlock: true }] };
}

function describeApiError(error: ApiError): ErrorDescription {
  const common = { ...explanationOf(error), ...(error.requestId ? { requestId: error.requestId } : {}) };
  const code = { name: 'code', value: String(error.code) } as const;
  const message = { name: 'message', value: error.message } as const;
  if (briefCodes.includes(error.code)) return { ...common, isBrief: true, facts: [code, message] };
  const request = { name: 'request', value: error.url } as const;
  const status = { name: 'status', value: `${error.status} ${error.statusText}`.trim() } as const;
  const data = { name: 'data', value: toJson(error.body), isBlock: true } as const;
  if (error.kind === 'refused') return { ...common, facts: [request, status, code, message, data] };
  if (error.status === 0) return { ...common, facts: [request, message] };
  return { ...common, facts: [request, status, message, data] };
}

function explanationOf(error: ApiError): { explanation?: Explanation } {
  const name = errorNameOfCode(error.code);
  if (name && isExplained(name)) return { explanation: name };
  if (error.kind === 'network' || error.kind === 'timeout' || error.kind === 'malformed')
    return { explanation: error.kind };
  return {};
}

function isExplained(name: ErrorName): name is Exclude<ErrorName, ExplainedByPages> {
  return !explainedByPages.test(name);
}

function describePlainError(error: Error): ErrorDescription {
  return {
    facts: [
      { name: 'name', value: error.name },
      { name: 'message', value: error.message },
      ...(error.stack ? [{ name: 'stack', value: error.stack, isBlock: true } as const] : []),
    ],
  };
}

function toJson(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value, null, 2) ?? String(value);
  } catch {
    return String(value);
  }
}
