// Declares a setting once: its two calls (query, update) with schemas, the document in the store, and the text of the audit trail. Most
// settings need nothing else; the control plane opens them with `openDeclared`.
import { z } from 'zod';
import { defineEndpoint, type Endpoint } from '../endpoint.ts';
import type { CallPath } from '../paths.ts';
import type { SettingChange } from '../setting-changes.ts';
import { emptyRequest, nullData } from './envelope.ts';
import { expectedRevision, settingsRevision } from './settings-revision.ts';

type Shape = Readonly<Record<string, z.ZodType>>;
type Revised = { readonly revision: typeof settingsRevision };
type Update = { readonly token: z.ZodOptional<z.ZodString>; readonly revision: typeof expectedRevision };

/** Path and access of one of the two calls, and its summary in the OpenAPI document. */
interface SettingCall extends CallPath {
  readonly summary: string;
}

interface SettingPair<Shown extends Shape, Sent extends Shape> {
  /** Tag in the OpenAPI document. */
  readonly tag: string;
  readonly query: SettingCall;
  readonly update: SettingCall;
  /** Response fields of the query, in addition to the revision. */
  readonly shown: Shown;
  /** Request fields of the update, in addition to token and revision. */
  readonly sent: Sent;
}

interface SettingCalls<Shown extends Shape, Sent extends Shape> {
  readonly query: Endpoint<typeof emptyRequest, z.ZodObject<Shown & Revised>>;
  readonly update: Endpoint<z.ZodObject<Sent & Update>, typeof nullData>;
}

/** Defines the two calls of a setting, but not its stored document. Used directly where `defineSetting` does not fit. */
export function settingCalls<Shown extends Shape, Sent extends Shape>(
  pair: SettingPair<Shown, Sent>,
): SettingCalls<Shown, Sent> {
  const { tag, query, update, shown, sent } = pair;
  const token = z.string().optional();
  return {
    query: defineEndpoint({
      ...query,
      tag,
      request: emptyRequest,
      response: z.object({ ...shown, revision: settingsRevision }),
    }),
    update: defineEndpoint({
      ...update,
      tag,
      request: z.object({ token, ...sent, revision: expectedRevision }),
      response: nullData,
    }),
  };
}

export interface SettingDefinition<Stored extends Shape, Facts extends Shape, Sent extends Shape>
  extends Omit<SettingPair<Stored & Facts, Sent>, 'shown'> {
  /** Key of the document in the store. Must never change, because operators have data under it. */
  readonly key: string;
  /** Fields of the document without the limits of `sent`, so that documents of earlier releases stay readable. */
  readonly stored: Stored;
  /** Values before the first save. */
  readonly initial: z.output<z.ZodObject<Stored>>;
  /** Response fields of the query besides the stored values. */
  readonly facts?: Facts;
  /** Text of the audit trail. */
  readonly change: (values: z.output<z.ZodObject<Stored>>) => SettingChange;
}

/** A setting for the control plane: the stored document and the text of the audit trail. */
export interface DeclaredSetting<Values> {
  readonly document: { readonly key: string; readonly schema: z.ZodType<Values>; readonly empty: Values };
  readonly change: (values: Values) => SettingChange;
}

/** Defines a setting whose stored document has the same fields as the request of its update. */
export function defineSetting<Stored extends Shape, Sent extends Shape, Facts extends Shape = Record<never, never>>(
  definition: SettingDefinition<Stored, Facts, Sent>,
): SettingCalls<Stored & Facts, Sent> & DeclaredSetting<z.output<z.ZodObject<Stored>>> {
  const { key, stored, facts, initial, change } = definition;
  return {
    ...settingCalls({ ...definition, shown: { ...stored, ...(facts as Facts) } }),
    document: { key, schema: z.object(stored), empty: initial },
    change,
  };
}
