import { Button, Skeleton } from '@mantine/core';
import type { LiveStream } from '@srs-stack/contract';
import { IconArrowRight, IconClockStop, IconEye } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useScreenPath } from '../../../navigation/current-locale.ts';
import { useAddresses } from '../../../shared/publish-guide/use-addresses.ts';
import { useNow } from '../../../shared/worker/use-now.ts';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { useDemoStream } from '../queries.ts';
import { StopDemoButton } from './demo-buttons.tsx';
import classes from './first-run.module.css';

const StreamImage = lazy(() => import('../../../shared/stream-image.tsx'));

export function OnAir({ stream, isDemo }: { stream: LiveStream; isDemo: boolean }) {
  const { t } = useTranslation('tutorials');
  const toScreen = useScreenPath();
  const demoRuns = useDemoStream().data?.enabled ?? isDemo;
  return (
    <>
      <div className={classes.picture}>
        <Suspense fallback={<Skeleton height="100%" radius="md" />}>
          <Picture app={stream.app} stream={stream.stream} />
        </Suspense>
      </div>
      <div className={classes.facts}>
        <StatusBadge state="live" />
        <strong>
          {stream.app}/{stream.stream}
        </strong>
        <span>
          <IconEye size={16} aria-hidden /> {t('next.viewers', { count: stream.viewers })}
        </span>
        {isDemo && <StopsBy />}
      </div>
      <div className={classes.begin}>
        <Button
          component={Link}
          to={toScreen('scenario', '?tab=live')}
          rightSection={<IconArrowRight size={18} aria-hidden />}
        >
          {t(isDemo ? 'next.demoOnAir.action' : 'next.onAir.action')}
        </Button>
        {demoRuns && <StopDemoButton />}
      </div>
    </>
  );
}

function Picture({ app, stream }: { app: string; stream: string }) {
  const { flvUrl } = useAddresses(stream, '', app);
  return <StreamImage address={flvUrl} />;
}

function StopsBy() {
  const { t } = useTranslation('tutorials');
  const { data } = useDemoStream();
  const nowMs = useNow(true);
  if (!data?.enabled) return null;
  const minutes = Math.max(1, Math.ceil((Date.parse(data.stopsAt) - nowMs) / 60_000));
  return (
    <span>
      <IconClockStop size={16} aria-hidden /> {t('demo.stopsIn', { count: minutes })}
    </span>
  );
}
