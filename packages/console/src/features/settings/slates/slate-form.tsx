import { Alert, NumberInput, Radio, Stack, Switch, Textarea } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { longestSlateMinutes, longestSlateWaitSeconds } from '@srs-stack/contract/limits.ts';
import { IconInfoCircle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { SlateContentField, SlateTextFields } from './slate-content.tsx';
import { problemsOf, type SlateDraft, toDraft, toRequest } from './slate-draft.ts';
import { SlateImage } from './slate-image.tsx';
import classes from './slates.module.css';

const imageInCommand = '<BASE64_IMAGE>';

export function SlateForm({ stored }: { stored: ResponseOf<typeof calls.querySlates> }) {
  const { t } = useTranslation('slates');
  const [isRefused, setIsRefused] = useState(false);
  const form = useSettingsForm({
    stored: toDraft(stored),
    revision: stored.revision,
    update: calls.updateSlates,
    refreshes: [calls.querySlates, calls.querySlatePicture],
    toRequest,
    savedText: t('saved'),
  });
  const { values, change } = form;
  const problems = problemsOf(values);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const areNamesRight = problems.pattern === undefined && problems.backup === undefined;
    const isRight = areNamesRight && !problems.afterSeconds && !problems.longestMinutes && !problems.clip;
    setIsRefused(!isRight);
    if (isRight) form.save();
  };
  const request = values.image ? { ...form.request, image: imageInCommand } : form.request;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md" className={classes.form!}>
        <Switch
          label={t('enabled')}
          description={t('enabledHint')}
          checked={values.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
        />
        <StreamsField values={values} wrong={isRefused ? problems.pattern : undefined} change={change} />
        <SlateContentField
          values={values}
          isClipWrong={isRefused && problems.clip}
          isClipMissing={stored.isClipMissing && values.clip === stored.clip}
          change={change}
        />
        <SlateTextFields values={values} change={change} />
        <SlateImage hasStored={stored.image !== ''} draft={values} onChange={(image) => change({ image })} />
        <div className={classes.pair}>
          <NumberInput
            label={t('after')}
            description={t('afterHint')}
            suffix={t('secondsSuffix')}
            value={values.afterSeconds}
            onChange={(afterSeconds) => change({ afterSeconds })}
            clampBehavior="none"
            error={isRefused && problems.afterSeconds ? t('afterWrong', { max: longestSlateWaitSeconds }) : undefined}
          />
          <NumberInput
            label={t('longest')}
            description={t('longestHint')}
            suffix={t('minutesSuffix')}
            value={values.longestMinutes}
            onChange={(longestMinutes) => change({ longestMinutes })}
            clampBehavior="none"
            error={isRefused && problems.longestMinutes ? t('longestWrong', { max: longestSlateMinutes }) : undefined}
          />
        </div>
        <Textarea
          label={t('backups.label')}
          description={t('backups.hint')}
          placeholder="live/main live/backup"
          value={values.backups}
          onChange={(event) => change({ backups: event.currentTarget.value })}
          error={isRefused && problems.backup !== undefined && t('backups.wrong', { line: problems.backup })}
          rows={3}
        />
        <Alert variant="light" color="gray" p="sm" icon={<IconInfoCircle aria-hidden />} title={t('cost.title')}>
          <ul className={classes.notes}>
            <li>{t('cost.load')}</li>
            <li>{t('cost.platforms')}</li>
            <li>{t('cost.counted')}</li>
          </ul>
        </Alert>
      </Stack>
      <SettingsFooter form={{ ...form, request }} />
    </form>
  );
}

interface StreamsFieldProps {
  values: SlateDraft;
  wrong: string | undefined;
  change: (part: Partial<SlateDraft>) => void;
}

function StreamsField({ values, wrong, change }: StreamsFieldProps) {
  const { t } = useTranslation('slates');
  return (
    <Radio.Group
      label={t('which.label')}
      value={values.isForSome ? 'some' : 'all'}
      onChange={(which) => change({ isForSome: which === 'some' })}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="all" label={t('which.all')} />
        <Radio value="some" label={t('which.some')} />
        {values.isForSome && (
          <Textarea
            aria-label={t('which.names')}
            description={t('which.hint')}
            placeholder="live/*"
            value={values.patterns}
            onChange={(event) => change({ patterns: event.currentTarget.value })}
            error={wrong !== undefined && (wrong === '' ? t('which.empty') : t('which.wrong', { pattern: wrong }))}
            rows={2}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}
