import { Radio, Select, Stack, Switch, TextInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { longestSlateClipSeconds, maxSlateTextLength, maxSlateTitleLength } from '@srs-stack/contract/limits.ts';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import type { SlateDraft } from './slate-draft.ts';
import classes from './slates.module.css';

const contents = ['image', 'clip', 'last-frame'] as const;

interface ContentProps {
  values: SlateDraft;
  /** The save was refused because no clip is selected. */
  isClipWrong: boolean;
  /** The stored clip is missing on this server. */
  isClipMissing: boolean;
  change: (part: Partial<SlateDraft>) => void;
}

export function SlateContentField({ values, isClipWrong, isClipMissing, change }: ContentProps) {
  const { t } = useTranslation('slates');
  return (
    <Radio.Group
      label={t('content.label')}
      value={values.content}
      onChange={(next) => change({ content: contents.find((each) => each === next) ?? 'image' })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="image" label={t('content.image')} />
        <Radio value="clip" label={t('content.clip')} />
        {values.content === 'clip' && (
          <ClipField values={values} isWrong={isClipWrong} isMissing={isClipMissing} change={change} />
        )}
        <Radio value="last-frame" label={t('content.last-frame')} description={t('content.lastFrameHint')} />
        {values.content === 'last-frame' && (
          <Switch
            label={t('content.blur')}
            checked={values.blur}
            onChange={(event) => change({ blur: event.currentTarget.checked })}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

interface ClipFieldProps extends Pick<ContentProps, 'values' | 'change'> {
  isWrong: boolean;
  isMissing: boolean;
}

function ClipField({ values: { clip, clipName }, isWrong, isMissing, change }: ClipFieldProps) {
  const { t } = useTranslation('slates');
  const library = useQuery({ ...apiQuery(calls.queryLibrary, {}), staleTime: 0 });
  const files = library.data?.files ?? [];
  const names = new Map(files.map(({ target, name }) => [target, name]));
  if (clip !== '' && !names.has(clip)) names.set(clip, clipName || clip);
  const error = isWrong ? t('content.noClip') : isMissing && t('content.missing');
  return (
    <Select
      label={t('content.file')}
      description={t('content.fileHint', { seconds: longestSlateClipSeconds })}
      placeholder={t('content.choose')}
      nothingFoundMessage={t('content.noFiles')}
      data={[...names].map(([value, label]) => ({ value, label }))}
      value={clip || null}
      onChange={(value) => change({ clip: value ?? '', clipName: names.get(value ?? '') ?? '' })}
      error={error}
      searchable
    />
  );
}

export function SlateTextFields({ values, change }: Pick<ContentProps, 'values' | 'change'>) {
  const { t } = useTranslation('slates');
  return (
    <div className={classes.pair}>
      <TextInput
        label={t('texts.title')}
        placeholder={t('texts.titleExample')}
        value={values.title}
        maxLength={maxSlateTitleLength}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TextInput
        label={t('texts.text')}
        placeholder={t('texts.textExample')}
        value={values.text}
        maxLength={maxSlateTextLength}
        onChange={(event) => change({ text: event.currentTarget.value })}
      />
    </div>
  );
}
