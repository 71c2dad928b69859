// State of a target's form. `enabled` changes only after a successful save.
import { useState } from 'react';
import { useSaveLock } from './use-save-lock.ts';

export interface TargetFields {
  server: string;
  secret: string;
  custom: boolean;
  label: string;
}

type Target = TargetFields & { enabled: boolean };

export interface TargetFormOptions<T extends Target, Problem extends string> {
  /** Stored values, or initial values of a new target. */
  stored: T;
  validate: (fields: T) => Problem | undefined;
  /** Rejects if nothing was saved. The caller reports the error. */
  save: (target: T) => Promise<unknown>;
}

export type SaveWay = 'start' | 'stop' | 'save';

export interface TargetForm<T extends Target, Problem extends string> {
  /** Typed values; `enabled` is ignored. */
  fields: T;
  set: (change: Partial<T>) => void;
  problem: Problem | undefined;
  enabled: boolean;
  isLocked: boolean;
  pending: SaveWay | undefined;
  /** `stop` sends the stored values, because unfinished edits could be invalid and keep the stream on air. */
  submit: (way: SaveWay) => Promise<void>;
}

export function useTargetForm<T extends Target, Problem extends string>({
  stored,
  validate,
  save,
}: TargetFormOptions<T, Problem>): TargetForm<T, Problem> {
  const { enabled } = stored;
  const [fields, setFields] = useState(stored);
  const [problem, setProblem] = useState<Problem>();
  const [pending, setPending] = useState<SaveWay>();
  const { isLocked, lock } = useSaveLock();
  const set = (change: Partial<T>) => {
    setFields((before) => ({ ...before, ...change }));
    setProblem(undefined);
  };
  const submit = async (way: SaveWay) => {
    if (isLocked || pending) return;
    lock();
    const found = way === 'stop' ? undefined : validate(fields);
    setProblem(found);
    if (found !== undefined) return;
    setPending(way);
    try {
      const target =
        way === 'stop' ? stored : { ...fields, server: fields.server.trim(), secret: fields.secret.trim() };
      await save({ ...target, enabled: way === 'save' ? enabled : way === 'start' });
    } catch {
      // The caller reports the failure. The form keeps the typed values.
    } finally {
      setPending(undefined);
    }
  };
  return { fields, set, problem, enabled, isLocked, pending, submit };
}
