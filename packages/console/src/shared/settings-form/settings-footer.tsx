// Footer of settings forms: error, buttons, and the equivalent command.
import { Button, Group } from '@mantine/core';
import type { Call } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { EquivalentCall } from '../equivalent-call.tsx';
import { SaveProblem } from './save-problem.tsx';
import type { SettingsForm } from './use-settings-form.ts';

export interface SettingsFooterProps<T extends object, C extends Call> {
  form: SettingsForm<T, C>;
  /** Label of the save button; "Save" by default. */
  saveLabel?: string;
  children?: React.ReactNode;
}

export function SettingsFooter<T extends object, C extends Call>(props: SettingsFooterProps<T, C>) {
  const { form, saveLabel, children } = props;
  const { t } = useTranslation(['settings-form', 'common']);
  return (
    <>
      <SaveProblem error={form.error} onReload={form.discard} />
      <Group mt="md" gap="sm">
        <Button type="submit" loading={form.isSaving}>
          {saveLabel ?? t('common:save')}
        </Button>
        {form.isDirty && (
          <Button variant="subtle" color="gray" onClick={form.discard}>
            {t('discard')}
          </Button>
        )}
        {children}
      </Group>
      <EquivalentCall endpoint={form.endpoint} request={form.request} />
    </>
  );
}
