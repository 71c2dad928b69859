// The ladder page: renditions and their cost, streams that have a ladder, and the state of running ladders.
import { Skeleton } from '@mantine/core';
import type { LadderConfig } from '@srs-stack/contract';
import { IconInfoCircle, IconStairs } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MediaServerLack } from '../../shared/media-server-lack.tsx';
import { QueryFailure } from '../../shared/query-failure.tsx';
import { PageColumns } from '../../ui/page-columns.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import classes from './ladder.module.css';
import { LadderCost } from './ladder-cost.tsx';
import { stepsOf, toFields } from './ladder-form.ts';
import { LadderOptions } from './ladder-options.tsx';
import { LadderSave } from './ladder-save.tsx';
import { LadderStatus } from './ladder-status.tsx';
import { LadderSteps } from './ladder-steps.tsx';
import { useLadderConfig, useLadderCosts, useLadderTasks } from './queries.ts';

export default function LadderPage() {
  const config = useLadderConfig();
  const tasks = useLadderTasks();
  if (config.isError && !config.data) {
    return <QueryFailure error={config.error} onRetry={() => void config.refetch()} />;
  }
  // Waits for both queries: on a phone the form is below the running ladders and would move when they load.
  if (!config.data || tasks.isPending) return <LadderSkeleton />;
  return <Ladder config={config.data} />;
}

function LadderSkeleton() {
  return (
    <PageColumns side={<Skeleton h={180} />}>
      <SectionsSkeleton count={2} open={1} />
    </PageColumns>
  );
}

function Ladder({ config }: { config: LadderConfig }) {
  const { t } = useTranslation('ladder');
  const [fields, setFields] = useState(() => toFields(config));
  const set = (change: Partial<typeof fields>) => setFields((before) => ({ ...before, ...change }));
  const { encoder, speed, steps } = fields;
  const costs = useLadderCosts({ encoder, speed, steps: stepsOf(steps) });
  return (
    <PageColumns side={<LadderStatus isEnabled={config.enabled} />}>
      <Panel title={t('about.title')} icon={<IconInfoCircle size={20} aria-hidden />}>
        <p className={classes.text}>{t('about.what')}</p>
        <p className={classes.text}>{t('about.address')}</p>
        <MediaServerLack ability="measurements" />
      </Panel>
      <Panel title={t('steps.title')} description={t('steps.text')} icon={<IconStairs size={20} aria-hidden />}>
        <div className={classes.fields}>
          <LadderSteps fields={fields} set={set} costs={costs.data} />
          <LadderCost fields={fields} set={set} costs={costs.data} error={costs.error} />
          <LadderOptions fields={fields} set={set} encoders={costs.data?.encoders ?? []} />
        </div>
        <LadderSave saved={config} fields={fields} set={set} />
      </Panel>
    </PageColumns>
  );
}
