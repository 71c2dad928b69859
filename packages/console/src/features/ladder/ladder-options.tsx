// Options of the ladder: streams, when it runs, limits, encoder.
import { NumberInput, SegmentedControl, Select, SimpleGrid, TagsInput } from '@mantine/core';
import type { LadderConfig, LadderCosts } from '@srs-stack/contract';
import { ladderRules, ladderSpeeds, maxLadderPatterns } from '@srs-stack/contract/values/ladder.ts';
import { useTranslation } from 'react-i18next';
import classes from './ladder.module.css';
import type { LadderFormProps } from './ladder-steps.tsx';

const order = ['label', 'input', 'description', 'error'] as const;
const belowInput = { inputWrapperOrder: [...order] };

export function LadderOptions({ fields, set, encoders }: LadderFormProps & Pick<LadderCosts, 'encoders'>) {
  const { t } = useTranslation('ladder');
  return (
    <>
      <TagsInput
        label={t('streams.label')}
        description={t('streams.hint')}
        placeholder={fields.streams.length === 0 ? t('streams.all') : ''}
        {...belowInput}
        value={fields.streams}
        onChange={(streams) => set({ streams: streams.map((each) => each.trim()) })}
        maxTags={maxLadderPatterns}
      />
      <div className={classes.start}>
        <SegmentedControl
          aria-label={t('start.label')}
          value={fields.start}
          onChange={(start) => set({ start: start as LadderConfig['start'] })}
          data={(['demand', 'live'] as const).map((value) => ({ value, label: t(`start.${value}`) }))}
        />
        <p className={classes.note}>{t(`start.${fields.start}Text`)}</p>
      </div>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        <EncoderSelect fields={fields} set={set} encoders={encoders} />
        {fields.encoder === 'libx264' && (
          <Select
            label={t('speed.label')}
            description={t('speed.hint')}
            {...belowInput}
            data={[...ladderSpeeds]}
            value={fields.speed}
            onChange={(speed) => speed !== null && set({ speed: speed as LadderConfig['speed'] })}
            allowDeselect={false}
            checkIconPosition="right"
          />
        )}
        {fields.start === 'demand' && (
          <LimitField name="idleSeconds" value={fields.idleSeconds} onChange={(idleSeconds) => set({ idleSeconds })} />
        )}
        <LimitField name="maxRunning" value={fields.maxRunning} onChange={(maxRunning) => set({ maxRunning })} />
      </SimpleGrid>
    </>
  );
}

interface LimitFieldProps {
  name: 'idleSeconds' | 'maxRunning';
  value: number;
  onChange: (value: number) => void;
}

function LimitField({ name, value, onChange }: LimitFieldProps) {
  const { t } = useTranslation('ladder');
  return (
    <NumberInput
      label={t(`${name}.label`)}
      description={t(`${name}.hint`, ladderRules[name])}
      {...belowInput}
      value={value}
      onChange={(next) => onChange(Number(next))}
      clampBehavior="none"
      hideControls
    />
  );
}

/** Lists all encoders. An encoder can be selected only after a successful test. */
function EncoderSelect({ fields, set, encoders }: LadderFormProps & Pick<LadderCosts, 'encoders'>) {
  const { t } = useTranslation('ladder');
  const data = encoders.map(({ encoder, isUsable }) => ({
    value: encoder,
    label: isUsable ? encoder : t('encoder.unusable', { encoder }),
    disabled: !isUsable && encoder !== fields.encoder,
  }));
  const known = data.length > 0 ? data : [{ value: fields.encoder, label: fields.encoder }];
  const broken = encoders.find(({ encoder, isUsable }) => encoder === fields.encoder && !isUsable);
  return (
    <Select
      label={t('encoder.label')}
      description={t('encoder.hint')}
      {...belowInput}
      data={known}
      value={fields.encoder}
      onChange={(encoder) => encoder !== null && set({ encoder: encoder as LadderConfig['encoder'] })}
      error={broken ? t('encoder.broken', { why: broken.why }) : undefined}
      allowDeselect={false}
      checkIconPosition="right"
    />
  );
}
