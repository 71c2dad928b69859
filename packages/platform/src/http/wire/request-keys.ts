// Normalizes a JSON body to its schema: keys match in any case, and unknown keys are dropped. `null` counts as absent unless the schema
// allows null. Only objects and arrays of the schema are entered, which limits the depth for a hostile body.
import { AppError, verbatim } from '@srs-stack/contract';
import { z } from 'zod';

/** The keys of a schema, prepared once per call. */
export type RequestShape =
  | {
      readonly kind: 'object';
      readonly keys: ReadonlyMap<string, { readonly name: string; readonly shape: RequestShape }>;
    }
  | { readonly kind: 'array'; readonly element: RequestShape }
  | { readonly kind: 'value'; readonly keepsNull: boolean };

export function requestShapeOf(schema: z.core.$ZodType, keepsNull = false): RequestShape {
  if (schema instanceof z.ZodObject) {
    const entries = Object.entries(schema.shape as Record<string, z.core.$ZodType>);
    const keys = entries.map(([name, part]) => [name.toLowerCase(), { name, shape: requestShapeOf(part) }] as const);
    return { kind: 'object', keys: new Map(keys) };
  }
  if (schema instanceof z.ZodArray) return { kind: 'array', element: requestShapeOf(schema.element) };
  if (schema instanceof z.ZodNullable) return requestShapeOf(schema.unwrap(), true);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return requestShapeOf(schema.unwrap() as z.core.$ZodType, keepsNull);
  }
  return { kind: 'value', keepsNull };
}

/** Returns the body of a call; an absent body and `null` become `{}`. Throws `invalidRequest` for other values than objects. */
export function toRequestObject(shape: RequestShape, body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (typeof body !== 'object' || Array.isArray(body))
    throw new AppError('invalidRequest', verbatim('the body is not a JSON object'));
  return withKnownKeys(shape, body) as Record<string, unknown>;
}

function withKnownKeys(shape: RequestShape, value: unknown): unknown {
  if (shape.kind === 'array' && Array.isArray(value)) return value.map((each) => withKnownKeys(shape.element, each));
  if (shape.kind !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const result: Record<string, unknown> = {};
  const exact = new Set<string>();
  for (const [spelling, part] of Object.entries(value)) {
    const known = shape.keys.get(spelling.toLowerCase());
    if (!known || exact.has(known.name)) continue;
    if (part === null && !(known.shape.kind === 'value' && known.shape.keepsNull)) continue;
    // If a key occurs in several spellings, the exact spelling counts.
    if (spelling === known.name) exact.add(known.name);
    result[known.name] = withKnownKeys(known.shape, part);
  }
  return result;
}
