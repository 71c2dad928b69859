// State of a settings form: typed values, unsaved changes, and the save. A confirmation appears before typed values are lost.
import type { Call, RequestOf } from '@srs-stack/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/api-error.ts';
import { apiKey, apiMutation } from '../../api/api-query.ts';
import { showToast } from '../../ui/toast.ts';
import { useUnsavedChanges } from '../unsaved-changes.ts';

export interface SettingsFormOptions<T extends object, C extends Call> {
  stored: T;
  /** Revision of the stored values. A save sends the revision at the time of the first typed change. */
  revision?: string | undefined;
  update: C;
  /** Calls whose cached responses a save invalidates. */
  refreshes: readonly Call[];
  toRequest: (values: T, revision: string | undefined) => RequestOf<C>;
  savedText: string;
  /** Handles failures in place of the form, except conflicts with another operator. */
  onFailure?: (error: unknown) => void;
}

export interface SettingsForm<T extends object, C extends Call> {
  values: T;
  isDirty: boolean;
  isSaving: boolean;
  error: Error | null;
  change: (part: Partial<T>) => void;
  discard: () => void;
  save: () => void;
  /** Equivalent API call without the revision. */
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
      // Keeps the revision at the first typed change, so that a later poll cannot hide another operator's change.
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

/** Whether a save failed because another operator changed the settings meanwhile. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.errorName === 'settingsChanged';
}
