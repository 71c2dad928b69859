// Shows and replaces the secret. Encoders that are publishing stay connected.
import { Button, TextInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxPublishSecretLength } from '@srs-stack/contract/limits.ts';
import { IconDice5 } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { CopyField } from '../../../ui/copy-field.tsx';
import { monoInput } from '../../../ui/mono-input.ts';
import { generateSecret } from './generated-secret.ts';
import { type SecretUses, useSecretUses } from './queries.ts';
import { SecretQuestion } from './secret-question.tsx';

export function SecretForm({ current, revision }: { current: string; revision: string }) {
  const { t } = useTranslation('publish-secret');
  const [isEmptyRefused, setIsEmptyRefused] = useState(false);
  const [question, setQuestion] = useState<SecretUses>();
  const form = useSettingsForm({
    stored: { secret: '' },
    revision,
    update: calls.updatePublishSecret,
    refreshes: [
      calls.queryPublishSecret,
      calls.queryTranscode,
      calls.cameraSecret,
      calls.forwardSecret,
      calls.vliveSecret,
    ],
    toRequest: ({ secret }, seen) => ({ secret, ...(seen === undefined ? {} : { revision: seen }) }),
    savedText: t('secret.saved'),
    onFailure: useReportError(),
  });
  const { secret } = form.values;
  const change = (value: string) => {
    form.change({ secret: value });
    setIsEmptyRefused(false);
    setQuestion(undefined);
  };
  const save = () => {
    setQuestion(undefined);
    form.save();
  };
  const uses = useSecretUses((found) => {
    if (found.follows.length + found.others.length > 0) setQuestion(found);
    else save();
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (secret === '') setIsEmptyRefused(true);
    else uses.mutate({});
  };
  return (
    <form onSubmit={onSubmit} style={{ maxWidth: '40rem' }} noValidate>
      <CopyField key={current} label={t('secret.current')} value={current} secret />
      <TextInput
        mt="md"
        label={t('secret.next')}
        description={t('secret.nextHint')}
        value={secret}
        maxLength={maxPublishSecretLength}
        onChange={(event) => change(event.currentTarget.value)}
        error={isEmptyRefused ? t('secret.empty') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      {question && <SecretQuestion uses={question} onContinue={save} onAbort={() => setQuestion(undefined)} />}
      <SettingsFooter form={form} saveLabel={t('secret.save')}>
        <Button
          variant="default"
          leftSection={<IconDice5 size={18} aria-hidden />}
          onClick={() => change(generateSecret())}
        >
          {t('secret.generate')}
        </Button>
      </SettingsFooter>
    </form>
  );
}
