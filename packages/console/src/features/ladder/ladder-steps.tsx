// The renditions as a table: switch, frame rate, bitrate, and cost of each rendition on this machine.
import { Checkbox, NumberInput, Select } from '@mantine/core';
import type { LadderCosts } from '@srs-stack/contract';
import { ladderRules } from '@srs-stack/contract/values/ladder.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './ladder.module.css';
import type { LadderFields, StepFields } from './ladder-form.ts';

export interface LadderFormProps {
  fields: LadderFields;
  set: (change: Partial<LadderFields>) => void;
}

/**
 * Preset frame rates, frames per second; 0 keeps the rate of the source. The list also contains the current value if an
 * API call has set another rate.
 */
const rates = [0, 60, 50, 30, 25, 24, 15];
const defaultAudioKbps = 64;

export function LadderSteps({ fields, set, costs }: LadderFormProps & { costs: LadderCosts | undefined }) {
  const { t, i18n } = useTranslation('ladder');
  const change = (height: number, part: Partial<StepFields>) =>
    set({ steps: fields.steps.map((step) => (step.height === height ? { ...step, ...part } : step)) });
  const cores = (value: number) => t('cost.cores', { cores: value.toLocaleString(i18n.language) });
  const costOf = ({ height, fps, isOn }: StepFields) => {
    if (!isOn) return '';
    const known = costs?.steps.find((each) => each.height === height && each.fps === fps);
    return known ? cores(known.cores) : height > 1_080 ? t('cost.unknown') : t('cost.measuring');
  };
  return (
    <table className={classes.table} data-form>
      <thead>
        <tr>
          <th scope="col">{t('steps.step')}</th>
          <th scope="col">{t('steps.fps')}</th>
          <th scope="col">{t('steps.kbps')}</th>
          <th scope="col">{t('steps.cost')}</th>
        </tr>
      </thead>
      <tbody>
        <Row
          label={t('steps.source')}
          isOn={fields.keepsSource}
          onToggle={(keepsSource) => set({ keepsSource })}
          rate={t('steps.asSource')}
          bitrate={t('steps.asSource')}
          cost={fields.keepsSource ? t('cost.none') : ''}
        />
        {fields.steps.map((step) => (
          <Row
            key={step.height}
            label={`${step.height}p`}
            isOn={step.isOn}
            onToggle={(isOn) => change(step.height, { isOn })}
            rate={<Rate step={step} onChange={(fps) => change(step.height, { fps })} />}
            bitrate={<Bitrate step={step} onChange={(kbps) => change(step.height, { kbps })} />}
            cost={costOf(step)}
          />
        ))}
        <Row
          label={t('steps.audio')}
          isOn={fields.audioKbps > 0}
          onToggle={(isOn) => set({ audioKbps: isOn ? defaultAudioKbps : 0 })}
          rate=""
          bitrate={
            fields.audioKbps > 0 && (
              <NumberInput
                aria-label={t('steps.kbpsOf', { step: t('steps.audio') })}
                value={fields.audioKbps}
                onChange={(value) => set({ audioKbps: Number(value) || 1 })}
                min={ladderRules.audioKbps.min}
                max={ladderRules.audioKbps.max}
                clampBehavior="none"
                hideControls
              />
            )
          }
          cost={fields.audioKbps > 0 ? cores(0.02) : ''}
        />
      </tbody>
    </table>
  );
}

interface RowProps {
  label: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  rate: ReactNode;
  bitrate: ReactNode;
  cost: string;
}

function Row({ label, isOn, onToggle, rate, bitrate, cost }: RowProps) {
  return (
    <tr data-off={!isOn || undefined}>
      <th scope="row">
        <Checkbox label={label} checked={isOn} onChange={(event) => onToggle(event.currentTarget.checked)} />
      </th>
      <td>{rate}</td>
      <td>{bitrate}</td>
      <td className={classes.number}>{cost}</td>
    </tr>
  );
}

function Rate({ step, onChange }: { step: StepFields; onChange: (fps: number) => void }) {
  const { t } = useTranslation('ladder');
  const values = rates.includes(step.fps) ? rates : [...rates, step.fps];
  return (
    <Select
      aria-label={t('steps.fpsOf', { step: `${step.height}p` })}
      data={values.map((fps) => ({ value: String(fps), label: fps === 0 ? t('steps.asSource') : String(fps) }))}
      value={String(step.fps)}
      onChange={(value) => value !== null && onChange(Number(value))}
      allowDeselect={false}
      checkIconPosition="right"
      disabled={!step.isOn}
    />
  );
}

function Bitrate({ step, onChange }: { step: StepFields; onChange: (kbps: number) => void }) {
  const { t } = useTranslation('ladder');
  return (
    <NumberInput
      aria-label={t('steps.kbpsOf', { step: `${step.height}p` })}
      value={step.kbps}
      onChange={(value) => onChange(Number(value))}
      min={ladderRules.kbps.min}
      max={ladderRules.kbps.max}
      step={100}
      // Invalid input is reported, not changed to a valid value.
      clampBehavior="none"
      hideControls
      disabled={!step.isOn}
    />
  );
}
