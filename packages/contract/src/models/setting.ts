// Declares a setting: the query and update calls, the stored document, and the text of the audit trail. The control plane opens declared
// settings with `openDeclared`.
import { z } from 'zod';
import { defineEndpoint, type Endpoint } from '../endpoint.ts';
import type { CallPath } from '../paths.ts';
import type { SettingChange } from '../setting-changes.ts';
import { emptyRequest, nullData } from './envelope.ts';
import { expectedRevision, settingsRevision } from './settings-revision.ts';

type Shape = Readonly<Record<string, z.ZodType>>;
type Revised = { readonly revision: typeof settingsRevision };
type Update = { readonly token: z.ZodOptional<z.ZodString>; readonly revision: typeof expectedRevision };

/** Path, access and OpenAPI summary of a call. */
interface SettingCall extends CallPath {
  readonly summary: string;
}

interface SettingPair<Shown extends Shape, Sent extends Shape> {
  readonly tag: string;
  readonly query: SettingCall;
  readonly update: SettingCall;
  /** Response fields of the query; the revision is added. */
  readonly shown: Shown;
  /** Request fields of the update; token and revision are added. */
  readonly sent: Sent;
}

interface SettingCalls<Shown extends Shape, Sent extends Shape> {
  readonly query: Endpoint<typeof emptyRequest, z.ZodObject<Shown & Revised>>;
  readonly update: Endpoint<z.ZodObject<Sent & Update>, typeof nullData>;
}

/** Defines only the two calls of a setting, for settings that `defineSetting` does not fit. */
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
  /** Key of the stored document. Never change a key, because existing data would be lost. */
  readonly key: string;
  /** Fields of the stored document, without the limits of `sent`, so that documents of earlier releases stay readable. */
  readonly stored: Stored;
  readonly initial: z.output<z.ZodObject<Stored>>;
  /** Response fields of the query in addition to the stored values. */
  readonly facts?: Facts;
  readonly change: (values: z.output<z.ZodObject<Stored>>) => SettingChange;
}

/** The control plane's view of a setting: stored document and audit text. */
export interface DeclaredSetting<Values> {
  readonly document: { readonly key: string; readonly schema: z.ZodType<Values>; readonly empty: Values };
  readonly change: (values: Values) => SettingChange;
}

/** Defines a setting whose update has the fields of the stored document. */
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
