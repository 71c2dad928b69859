// Converts schema errors to one refusal detail. Responses contain the English text of the schema library and a message key that the console
// translates.
import { because, inTheWordsOf, isPlainReason, type RefusalDetail } from '@srs-stack/contract';
import type { FastifyError } from 'fastify';

/** Maximum number of fields in an error message. */
const maxNamedIssues = 5;

type Issue = NonNullable<FastifyError['validation']>[number];
/** Data of a Zod issue. Each kind of issue has only some fields. */
interface IssueFacts {
  readonly origin?: string;
  readonly inclusive?: boolean;
  readonly expected?: string;
  readonly input?: unknown;
  readonly maximum?: number | bigint;
  readonly minimum?: number | bigint;
  readonly values?: readonly unknown[];
  readonly params?: { readonly reason?: unknown };
}

export function issuesReason(found: readonly Issue[]): RefusalDetail {
  const issues = found.slice(0, maxNamedIssues).map(issueReason);
  return because('fields.list', { issues });
}

function issueReason(issue: Issue): RefusalDetail {
  const field = issue.instancePath.replace(/^\//, '').replaceAll('/', '.') || 'body';
  const words = issue.message ?? 'not valid';
  return inTheWordsOf(`${field}: ${words}`, reasonOf(issue, field, words));
}

function reasonOf({ keyword, params }: Issue, field: string, words: string): RefusalDetail {
  const facts = params as IssueFacts;
  const { origin, expected = '', values = [], inclusive = true } = facts;
  const [maximum, minimum] = [Number(facts.maximum), Number(facts.minimum)];
  if (keyword === 'invalid_type')
    return words.endsWith('received undefined')
      ? because('fields.missing', { field })
      : because('fields.type', { field, expected });
  if (keyword === 'too_big') {
    if (!inclusive) return because('fields.below', { field, maximum });
    if (origin === 'string') return because('fields.too-long', { field, maximum });
    return because(origin === 'array' ? 'fields.too-many' : 'fields.too-large', { field, maximum });
  }
  if (keyword === 'too_small') {
    if (!inclusive) return because('fields.above', { field, minimum });
    if (origin === 'string') return because('fields.too-short', { field, minimum });
    return because(origin === 'array' ? 'fields.too-few' : 'fields.too-small', { field, minimum });
  }
  if (keyword === 'invalid_value') return because('fields.choice', { field, choices: values.map(String).join(', ') });
  if (keyword === 'invalid_format') return because('fields.form', { field });
  const reason = facts.params?.reason;
  return because('fields.other', { field, words: isPlainReason(reason) ? because(reason) : words });
}
