// Shown on every page while the server drains before a stop, with a button that ends the drain.
import { Button } from '@mantine/core';
import { calls } from '@srs-stack/contract/calls.ts';
import { IconPlugConnectedX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/api-client.ts';
import { useReportError } from '../../shared/errors/error-report.tsx';
import { useMonitor } from '../../shared/monitor/use-monitor.ts';
import classes from './drain-banner.module.css';

export function DrainBanner() {
  const { t } = useTranslation();
  const reportError = useReportError();
  const { snapshot } = useMonitor();
  const since = snapshot?.drainingSince;
  const undo = useMutation({
    mutationFn: (_since: string) => call(calls.updateDrain, { draining: false }),
    onError: reportError,
  });
  // Hides the banner after the response of the call. The next metrics confirm the end of the drain later.
  const isEnded = undo.isSuccess && undo.variables === since;
  return (
    <div role="status">
      {since !== undefined && !isEnded && (
        <div className={classes.banner}>
          <IconPlugConnectedX size={20} aria-hidden className={classes.sign} />
          <p className={classes.text}>
            {t('drain.text', { streams: snapshot?.streams ?? 0, viewers: snapshot?.viewers ?? 0 })}
          </p>
          <Button size="xs" variant="default" loading={undo.isPending} onClick={() => undo.mutate(since)}>
            {t('drain.undo')}
          </Button>
        </div>
      )}
    </div>
  );
}
