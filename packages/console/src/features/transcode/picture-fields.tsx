import { Collapse, Select, SimpleGrid, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { TranscodePicture } from '@srs-stack/contract';
import { transcodePictureDefaults } from '@srs-stack/contract/values/transcode-picture.ts';
import { IconAspectRatio, IconChevronDown } from '@tabler/icons-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './picture.module.css';
import { WatermarkField } from './watermark-field.tsx';

/** Presets. The list also contains the current value, because an API call can set values that are not presets. */
const choices = {
  height: [0, 2_160, 1_440, 1_080, 720, 540, 480, 360],
  fps: [0, 60, 50, 30, 25, 24, 15],
  keyframeSeconds: [1, 2, 3, 4, 5, 10],
} as const;

interface PictureFieldsProps {
  picture: TranscodePicture;
  onChange: (picture: TranscodePicture) => void;
}

export function PictureFields({ picture, onChange }: PictureFieldsProps) {
  const { t } = useTranslation('transcode');
  const panelId = useId();
  const [opened, { toggle }] = useDisclosure(false);
  const { height, fps, keyframeSeconds, watermark } = picture;
  const set = (part: Partial<TranscodePicture>) => onChange({ ...picture, ...part });
  const summary = [
    height === 0 ? t('size.source') : t('size.rows', { height }),
    fps === 0 ? t('rate.source') : t('rate.fps', { fps }),
    ...(watermark ? [t('watermark.title')] : []),
  ];
  return (
    <div className={classes.advanced}>
      <UnstyledButton className={classes.toggle!} aria-expanded={opened} aria-controls={panelId} onClick={toggle}>
        <IconAspectRatio size={18} aria-hidden />
        <span className={classes.name}>
          {t('advanced')} <small>{summary.join(' · ')}</small>
        </span>
        <IconChevronDown size={16} aria-hidden className={classes.chevron} data-opened={opened || undefined} />
      </UnstyledButton>
      <Collapse expanded={opened} id={panelId}>
        <div className={classes.panel}>
          <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="md">
            <Choice
              name="height"
              value={height}
              onChange={(value) => set({ height: value })}
              text={(value) => (value === 0 ? t('asSource') : t('size.rows', { height: value }))}
            />
            <Choice
              name="fps"
              value={fps}
              onChange={(value) => set({ fps: value })}
              text={(value) => (value === 0 ? t('asSource') : t('rate.fps', { fps: value }))}
            />
            <Choice
              name="keyframeSeconds"
              value={keyframeSeconds}
              onChange={(value) => set({ keyframeSeconds: value })}
              text={(value) => t('seconds', { seconds: value })}
            />
          </SimpleGrid>
          <WatermarkField watermark={watermark} onChange={(next) => set({ watermark: next })} />
        </div>
      </Collapse>
    </div>
  );
}

function Choice({ name, value, onChange, text }: ChoiceProps) {
  const { t } = useTranslation('transcode');
  const known: readonly number[] = choices[name];
  const values = known.includes(value) ? known : [...known, value];
  return (
    <Select
      label={t(`field.${name}`)}
      description={t(`hint.${name}`, { usual: transcodePictureDefaults[name] })}
      inputWrapperOrder={['label', 'input', 'description']}
      data={values.map((each) => ({ value: String(each), label: text(each) }))}
      value={String(value)}
      onChange={(next) => next !== null && onChange(Number(next))}
      allowDeselect={false}
      checkIconPosition="right"
    />
  );
}

interface ChoiceProps {
  name: keyof typeof choices;
  value: number;
  onChange: (value: number) => void;
  text: (value: number) => string;
}
