// Form for the bucket, the local copies and the delivery. The test button uses the unsaved values.
import { Stack, Switch } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { BucketChoices } from './bucket-choices.tsx';
import { type BucketDraft, consequencesOf, type MissingField, missingIn } from './bucket-draft.ts';
import { BucketFields } from './bucket-fields.tsx';
import { BucketQuestion } from './bucket-question.tsx';
import { BucketTest } from './bucket-test.tsx';
import classes from './object-storage.module.css';
import type { ObjectStorage } from './queries.ts';

export function BucketForm({ stored }: { stored: ObjectStorage }) {
  const { t } = useTranslation('object-storage');
  const [missing, setMissing] = useState<readonly MissingField[]>([]);
  const [isConfirming, setIsConfirming] = useState(false);
  const { on, endpoint, region, bucket, pathStyle, prefix, local, delivery } = stored;
  const form = useSettingsForm({
    stored: { on, endpoint, region, bucket, pathStyle, prefix, local, delivery, accessKey: '', secretKey: '' },
    revision: stored.revision,
    update: calls.updateObjectStorage,
    refreshes: [calls.queryObjectStorage],
    toRequest: (values, revision) => ({ ...values, ...(revision === undefined ? {} : { revision }) }),
    savedText: t('saved'),
  });
  const change = (part: Partial<BucketDraft>) => {
    setMissing([]);
    setIsConfirming(false);
    form.change(part);
  };
  const consequences = consequencesOf(stored, form.values);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    const found = form.values.on ? missingIn(stored, form.values) : [];
    setMissing(found);
    if (found.length > 0) return;
    if (consequences.length > 0) setIsConfirming(true);
    else form.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      <Stack gap="md">
        <Switch
          aria-label={t('on.label')}
          checked={form.values.on}
          onChange={(event) => change({ on: event.currentTarget.checked })}
          label={t('on.label')}
          description={t('on.hint')}
        />
        <BucketFields stored={stored} values={form.values} missing={missing} onChange={change} />
        <BucketTest values={form.values} />
        <BucketChoices stored={stored} values={form.values} onChange={change} />
      </Stack>
      {isConfirming ? (
        <BucketQuestion
          stored={stored}
          consequences={consequences}
          onAbort={() => setIsConfirming(false)}
          onContinue={() => {
            setIsConfirming(false);
            form.save();
          }}
        />
      ) : (
        <SettingsFooter form={{ ...form, request: { ...form.request, secretKey: hidden(form.values.secretKey) } }} />
      )}
    </form>
  );
}

const hidden = (secret: string) => (secret === '' ? '' : '…');
