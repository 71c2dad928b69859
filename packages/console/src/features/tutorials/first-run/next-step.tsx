// Card for a new operator: how to start a stream, or the video of the live stream.
import { Alert, Button, Loader, Skeleton } from '@mantine/core';
import { IconListCheck, IconPlugConnectedX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveStreams } from '../../../shared/live-streams.ts';
import { QueryFailure } from '../../../shared/query-failure.tsx';
import { WorkerReasonNote } from '../../../shared/worker/worker-reason.tsx';
import { useDemoStream } from '../queries.ts';
import { StopDemoButton } from './demo-buttons.tsx';
import classes from './first-run.module.css';
import { type FirstRunState, firstRunState } from './first-run-state.ts';
import { OnAir } from './on-air.tsx';
import { SignalPath } from './signal-path.tsx';
import { WaysToBegin } from './ways-to-begin.tsx';

/** Poll interval of live streams while the demo stream is enabled, milliseconds. */
const expectingPollMs = 1_000;

/** @param onShowSteps shows the hidden checklist; undefined while the checklist is visible. */
export function NextStep({ onShowSteps }: { onShowSteps: (() => void) | undefined }) {
  const { t } = useTranslation('tutorials');
  const demo = useDemoStream();
  const live = useLiveStreams(demo.data?.enabled ? { intervalMs: expectingPollMs } : {});
  const state = firstRunState({ live: live.data, demo: demo.data });
  return (
    <section className={classes.card} aria-labelledby="next-step" data-state={state.kind}>
      {state.kind === 'loading' && live.error ? (
        <QueryFailure error={live.error} onRetry={() => void live.refetch()} />
      ) : (
        <Content state={state} />
      )}
      {onShowSteps && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconListCheck size={16} aria-hidden />}
          onClick={onShowSteps}
          className={classes.showSteps!}
        >
          {t('steps.show')}
        </Button>
      )}
    </section>
  );
}

function Content({ state }: { state: FirstRunState }) {
  const { t } = useTranslation('tutorials');
  switch (state.kind) {
    case 'loading':
      return (
        <div role="status" aria-label={t('next.loading')} className={classes.loading}>
          <Skeleton height={28} width="min(22rem, 80%)" />
          <Skeleton height={20} width="min(30rem, 100%)" />
          <Skeleton height={190} radius="lg" />
          <Skeleton height={44} />
        </div>
      );
    case 'engine-away':
      return (
        <Words kind="engineAway">
          <Alert
            variant="light"
            color="amber"
            icon={<IconPlugConnectedX aria-hidden />}
            title={t('next.engineAway.what')}
          >
            {t('next.engineAway.advice')}
          </Alert>
        </Words>
      );
    case 'quiet':
      return (
        <Words kind="quiet">
          <SignalPath />
          <WaysToBegin />
        </Words>
      );
    case 'demo-starting':
      return (
        <Words kind="demoStarting">
          <SignalPath isFlowing />
          <div className={classes.begin}>
            <span role="status" className={classes.starting}>
              <Loader size="sm" aria-hidden /> {t('next.demoStarting.progress')}
            </span>
            <StopDemoButton />
          </div>
        </Words>
      );
    case 'demo-failed':
      return (
        <Words kind="demoFailed">
          <WorkerReasonNote facts={state.demo} reported={state.demo} />
          <div className={classes.begin}>
            <StopDemoButton />
          </div>
        </Words>
      );
    case 'on-air':
      return (
        <Words kind={state.isDemo ? 'demoOnAir' : 'onAir'}>
          <OnAir stream={state.stream} isDemo={state.isDemo} />
        </Words>
      );
  }
}

type WordsKind = 'quiet' | 'demoStarting' | 'demoFailed' | 'demoOnAir' | 'onAir' | 'engineAway';

function Words({ kind, children }: { kind: WordsKind; children: ReactNode }) {
  const { t } = useTranslation('tutorials');
  return (
    <>
      <div>
        <h2 id="next-step" className={classes.title}>
          {t(`next.${kind}.title`)}
        </h2>
        <p className={classes.lead}>{t(`next.${kind}.text`)}</p>
      </div>
      {children}
    </>
  );
}
