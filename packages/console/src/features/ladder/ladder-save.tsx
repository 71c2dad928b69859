// The end of the form: errors, and buttons to save, enable and disable.
import { Alert, Button, Group } from '@mantine/core';
import type { LadderConfig } from '@srs-stack/contract';
import { ladderRules } from '@srs-stack/contract/values/ladder.ts';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LadderProblem, problemOf, toConfig } from './ladder-form.ts';
import type { LadderFormProps } from './ladder-steps.tsx';
import { useApplyLadder } from './queries.ts';

export function LadderSave({ saved, fields, set }: LadderFormProps & { saved: LadderConfig }) {
  const { t } = useTranslation('ladder');
  const [problem, setProblem] = useState<LadderProblem>();
  const { save, isSaving } = useApplyLadder();
  /** Disabling sends the stored values, so an invalid edit cannot prevent it. */
  const submit = (enabled: boolean) => {
    const next = { ...fields, enabled };
    const isOff = saved.enabled && !enabled;
    const found = isOff ? undefined : problemOf(next);
    setProblem(found);
    if (found) return;
    save(isOff ? { ...saved, enabled } : toConfig(next)).then(
      () => set({ enabled }),
      // The failure has been reported. The form keeps the typed values.
      () => undefined,
    );
  };
  const range = problem && problem in ladderRules ? ladderRules[problem as keyof typeof ladderRules] : {};
  return (
    <>
      {problem && (
        <Alert role="alert" variant="light" color="broken" p="sm" mb="md" icon={<IconAlertTriangle aria-hidden />}>
          {t(`problem.${problem}`, range)}
        </Alert>
      )}
      <Group gap="sm">
        <Button onClick={() => submit(true)} loading={isSaving}>
          {t(saved.enabled ? 'save' : 'switchOn')}
        </Button>
        {saved.enabled && (
          <Button variant="default" onClick={() => submit(false)} disabled={isSaving}>
            {t('switchOff')}
          </Button>
        )}
      </Group>
    </>
  );
}
