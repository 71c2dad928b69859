// Accordion item 2: records all streams or none. DVR and VoD exclude each other.
import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type CloudKind, useApplyCloud } from './queries.ts';

export interface CloudRulesProps {
  kind: CloudKind;
  isOn: boolean;
  isOtherOn: boolean;
  /** Whether a destination for segments is configured. */
  isReady: boolean;
}

export function CloudRules({ kind, isOn, isOtherOn, isReady }: CloudRulesProps) {
  const { t } = useTranslation('cloud-recording');
  const apply = useApplyCloud(kind);
  const [all, setAll] = useState(isOn);
  const isBarred = isOtherOn && !isOn;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apply.mutate({ all });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {isBarred && (
          <Alert variant="light" color="amber" icon={<IconAlertTriangle aria-hidden />}>
            {t('rules.otherOn', { other: t(`tabs.${kind === 'dvr' ? 'vod' : 'dvr'}`) })}
          </Alert>
        )}
        {!isReady && !isBarred && (
          <Alert variant="light" color="amber" icon={<IconAlertTriangle aria-hidden />}>
            {t('rules.needsSecret')}
          </Alert>
        )}
        <Checkbox
          label={t(`rules.${kind}All`)}
          description={t('rules.hint')}
          checked={all}
          disabled={isBarred}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
        <Group>
          <Button type="submit" loading={apply.isPending} disabled={isBarred}>
            {t('rules.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
