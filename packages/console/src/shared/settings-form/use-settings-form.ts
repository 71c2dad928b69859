// State of a settings form: typed values, difference from the stored ones, saving with the loaded revision, and the
// confirmation before typed values are lost.
import type { Call, RequestOf } from '@srs-stack/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { apiKey, apiMutation } from '../../api/api-query.ts';
import { showToast } from '../../ui/toast.ts';
import { useUnsavedChanges } from '../unsaved-changes.ts';

export interface SettingsFormOptions<T extends object, C extends Call> {
  /** Values stored on the server. */
  stored: T;
  /** The revision of the stored values. A save sends the revision that was current at the first typed change. */
  revision?: string | undefined;
  update: C;
  /** Calls whose responses a save invalidates. */
  refreshes: readonly Call[];
  toRequest: (values: T, revision: string | undefined) => RequestOf<C>;
  /** Toast after a save. */
  savedText: string;
  /** Handles failures instead of the form, except a conflict with another operator. */
  onFailure?: (error: unknown) => void;
}

export interface SettingsForm<T extends object, C extends Call> {
  values: T;
  isDirty: boolean;
  isSaving: boolean;
  /** Why the last save failed; a change clears it. */
  error: Error | null;
  change: (part: Partial<T>) => void;
  discard: () => void;
  save: () => void;
  /** The equivalent API call, without the revision. */
  request: RequestOf<C>;
  endpoint: C;
}

export function useSettingsForm<T extends object, C extends Call>(
  options: SettingsFormOptions<T, C>,
): SettingsForm<T, C> {
  const { stored, revision, update, refreshes, toRequest, savedText, onFailure } = options;
  const client = useQueryClient();
  const [draft, setDraft] = useState<{ values: T; revision: string | undefined }>();
  const values = draft?.values ?? stored;
  const isDirty = draft !== undefined && JSON.stringify(draft.values) !== JSON.stringify(stored);
  useUnsavedChanges(isDirty);
  const mutation = useMutation<unknown, Error, RequestOf<C>>({
    ...(apiMutation(update) as object),
    onSuccess: async () => {
      await Promise.all(refreshes.map((each) => client.invalidateQueries({ queryKey: apiKey(each) })));
      setDraft(undefined);
      await showToast({ message: savedText });
    },
    onError: (error) => {
      if (!isConflict(error)) onFailure?.(error);
    },
  });
  return {
    values,
    isDirty,
    isSaving: mutation.isPending,
    error: onFailure && !isConflict(mutation.error) ? null : mutation.error,
    change: (part) => {
      // Polling must not hide a change by another operator: the draft keeps the revision of the values it started with.
      setDraft({ values: { ...values, ...part }, revision: draft ? draft.revision : revision });
      mutation.reset();
    },
    discard: () => {
      setDraft(undefined);
      mutation.reset();
      for (const each of refreshes) void client.invalidateQueries({ queryKey: apiKey(each) });
    },
    save: () => mutation.mutate(toRequest(values, draft ? draft.revision : revision)),
    request: toRequest(values, undefined),
    endpoint: update,
  };
}

/** Whether a save failed because another operator has changed the same settings. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.errorName === 'settingsChanged';
}
