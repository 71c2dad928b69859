import { Button } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { useTranslation } from 'react-i18next';
import { useSwitchDemo } from '../queries.ts';

export function StartDemoButton() {
  const { t } = useTranslation('tutorials');
  const start = useSwitchDemo(calls.startDemoStream);
  return (
    <Button variant="default" fullWidth loading={start.isPending} onClick={() => start.mutate({})}>
      {t('ways.demo.button')}
    </Button>
  );
}

export function StopDemoButton() {
  const { t } = useTranslation('tutorials');
  const stop = useSwitchDemo(calls.stopDemoStream);
  return (
    <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({})}>
      {t('demo.stop')}
    </Button>
  );
}
