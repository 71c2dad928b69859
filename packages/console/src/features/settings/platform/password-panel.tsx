// Changes the admin password and optionally the API secret; all other sessions end.
import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxPasswordLength } from '@srs-stack/contract/limits.ts';
import { IconLock } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiKey, apiMutation } from '../../../api/api-query.ts';
import { storeSession } from '../../../api/stored-session.ts';
import { useReportError } from '../../../shared/errors/error-report.tsx';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.ts';
import classes from './platform.module.css';

const untouched = { current: '', password: '', rotateSecret: false };

export function PasswordPanel() {
  const { t } = useTranslation('platform');
  const [values, setValues] = useState(untouched);
  const [isChecked, setIsChecked] = useState(false);
  const change = useChangePassword(() => {
    setValues(untouched);
    setIsChecked(false);
    void showToast({ message: t('password.changed') });
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsChecked(true);
    if (values.current !== '' && values.password !== '') change.mutate(values);
  };
  const field = (name: 'current' | 'password') => ({
    label: t(`password.${name}`),
    value: values[name],
    maxLength: maxPasswordLength,
    autoComplete: name === 'current' ? 'current-password' : 'new-password',
    error: isChecked && values[name] === '' ? t('password.missing') : undefined,
    onChange: (event: { currentTarget: { value: string } }) =>
      setValues({ ...values, [name]: event.currentTarget.value }),
  });
  return (
    <Panel title={t('password.title')} description={t('password.text')} icon={<IconLock size={20} aria-hidden />}>
      <form onSubmit={onSubmit} className={classes.form} noValidate>
        <div className={classes.pair}>
          <PasswordInput {...field('current')} />
          <PasswordInput {...field('password')} />
        </div>
        <Checkbox
          mt="md"
          label={t('password.rotateSecret')}
          description={t('password.rotateSecretHint')}
          checked={values.rotateSecret}
          onChange={(event) => setValues({ ...values, rotateSecret: event.currentTarget.checked })}
        />
        <Button type="submit" mt="md" loading={change.isPending}>
          {t('password.change')}
        </Button>
      </form>
    </Panel>
  );
}

/** Changes the password and stores the response, which is the new session of this browser. */
function useChangePassword(onDone: () => void) {
  const client = useQueryClient();
  return useMutation({
    ...apiMutation(calls.changePassword),
    onSuccess: async (session) => {
      storeSession(session);
      onDone();
      await client.invalidateQueries({ queryKey: apiKey(calls.querySecret) });
    },
    onError: useReportError(),
  });
}
