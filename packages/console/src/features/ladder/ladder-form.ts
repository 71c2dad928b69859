// The form of the ladder and its validation. Pure.
import type { LadderConfig, LadderStep } from '@srs-stack/contract';
import { isValidStreamPattern } from '@srs-stack/contract/stream-pattern.ts';
import { ladderPresets, ladderRules } from '@srs-stack/contract/values/ladder.ts';

/** A rendition with its switch. */
export interface StepFields extends LadderStep {
  readonly isOn: boolean;
}

export interface LadderFields extends Omit<LadderConfig, 'steps'> {
  readonly steps: readonly StepFields[];
}

export type LadderProblem = 'kbps' | 'idleSeconds' | 'maxRunning' | 'audioKbps' | 'streams' | 'nothing';

/** Converts settings to form values: all presets, and saved renditions of further sizes, which API calls can create. */
export function toFields(config: LadderConfig): LadderFields {
  const saved = config.steps.map((step) => ({ ...step, isOn: true }));
  const others = ladderPresets
    .filter(({ height }) => !saved.some((step) => step.height === height))
    .map((step) => ({ ...step, isOn: false }));
  return { ...config, steps: [...saved, ...others].sort((a, b) => b.height - a.height) };
}

export function toConfig({ steps, ...fields }: LadderFields): LadderConfig {
  return { ...fields, steps: stepsOf(steps) };
}

export function stepsOf(steps: readonly StepFields[]): LadderStep[] {
  return steps.filter(({ isOn }) => isOn).map(({ isOn: _, ...step }) => step);
}

export function problemOf(fields: LadderFields): LadderProblem | undefined {
  const isWithin = (value: number, { min, max }: { min: number; max: number }) =>
    Number.isInteger(value) && value >= min && value <= max;
  const steps = stepsOf(fields.steps);
  if (fields.enabled && steps.length === 0) return 'nothing';
  if (!steps.every(({ kbps }) => isWithin(kbps, ladderRules.kbps))) return 'kbps';
  if (fields.audioKbps !== 0 && !isWithin(fields.audioKbps, ladderRules.audioKbps)) return 'audioKbps';
  if (!isWithin(fields.idleSeconds, ladderRules.idleSeconds)) return 'idleSeconds';
  if (!isWithin(fields.maxRunning, ladderRules.maxRunning)) return 'maxRunning';
  return fields.streams.every(isValidStreamPattern) ? undefined : 'streams';
}
