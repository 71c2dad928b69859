// State of the transcoder form. `enabled` changes only after a successful save.
import type { TranscodeConfig } from '@srs-stack/contract';
import { useState } from 'react';
import { useSaveLock } from '../../shared/push-target/use-save-lock.ts';
import type { SaveWay } from '../../shared/push-target/use-target-form.ts';
import {
  type TranscodeField,
  type TranscodeFields,
  toTranscodeConfig,
  transcodeFields,
  validateTranscode,
} from './validate-transcode.ts';

export interface TranscodeForm {
  fields: TranscodeFields;
  set: (change: Partial<TranscodeFields>) => void;
  problem: TranscodeField | undefined;
  enabled: boolean;
  isLocked: boolean;
  pending: SaveWay | undefined;
  /** `stop` sends the stored values, because unfinished edits could be invalid and keep the transcoder running. */
  submit: (way: SaveWay) => Promise<void>;
}

export function useTranscodeForm(
  saved: TranscodeConfig,
  own: { server: string; secret: string },
  apply: (config: TranscodeConfig) => Promise<unknown>,
): TranscodeForm {
  const [fields, setFields] = useState(() => transcodeFields(saved, own));
  const [problem, setProblem] = useState<TranscodeField>();
  const [pending, setPending] = useState<SaveWay>();
  const { isLocked, lock } = useSaveLock();
  const submit = async (way: SaveWay) => {
    if (isLocked || pending) return;
    lock();
    const found = way === 'stop' ? undefined : validateTranscode(fields);
    setProblem(found);
    if (found) return;
    setPending(way);
    try {
      const all = way === 'save' ? saved.all : way === 'start';
      await apply(way === 'stop' ? { ...saved, all } : toTranscodeConfig(fields, all));
    } catch {
      // The caller reports the failure. The form keeps the typed values.
    } finally {
      setPending(undefined);
    }
  };
  const set = (change: Partial<TranscodeFields>) => {
    setFields((before) => ({ ...before, ...change }));
    setProblem(undefined);
  };
  return { fields, set, problem, enabled: saved.all, isLocked, pending, submit };
}
