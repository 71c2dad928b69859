// The Record page: an introduction, where the files are, the rules, the plan, snapshots, and the recordings.
import { Skeleton } from '@mantine/core';
import type { RecordRules } from '@srs-stack/contract';
import {
  IconCalendarTime,
  IconCamera,
  IconFolder,
  IconHistory,
  IconInfoCircle,
  IconPlayerRecord,
} from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { RecordingFailure } from '../../shared/recording/recording-failure.tsx';
import { SnapshotTimers } from '../../shared/snapshots/snapshot-timers.tsx';
import { Section, Sections } from '../../ui/sections.tsx';
import { SectionsSkeleton } from '../../ui/sections-skeleton.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { PlanList } from './plan-list.tsx';
import { useRecordRules } from './queries.ts';
import { RecordDirectory } from './record-directory.tsx';
import { RecordIntroduction } from './record-introduction.tsx';
import { RecordList } from './record-list.tsx';
import { RecordRulesForm } from './record-rules-form.tsx';

export default function RecordPage() {
  const rules = useRecordRules();
  if (rules.data) return <RecordItems rules={rules.data} />;
  if (rules.isError) return <RecordingFailure error={rules.error} onRetry={() => void rules.refetch()} />;
  return <SectionsSkeleton count={6} open={5} />;
}

const sign = { size: 20, stroke: 1.75, 'aria-hidden': true } as const;

function RecordItems({ rules }: { rules: RecordRules }) {
  const { t } = useTranslation('records');
  return (
    <Sections defaultOpen={rules.all ? '3' : '2'}>
      <Section value="0" title={t('introduction.title')} icon={<IconInfoCircle {...sign} />}>
        <RecordIntroduction />
      </Section>
      <Section value="1" title={t('directory.title')} summary={rules.directory} icon={<IconFolder {...sign} />}>
        <RecordDirectory home={rules.home} directory={rules.directory} />
      </Section>
      <Section
        value="2"
        title={t('rules.title')}
        summary={t('rules.summary')}
        icon={<IconPlayerRecord {...sign} />}
        badge={<StatusBadge state={rules.all ? 'live' : 'idle'}>{t(rules.all ? 'rules.on' : 'rules.off')}</StatusBadge>}
      >
        <RecordRulesForm rules={rules} />
      </Section>
      <Section value="plan" title={t('plan.title')} summary={t('plan.summary')} icon={<IconCalendarTime {...sign} />}>
        <PlanList />
      </Section>
      <Section
        value="snapshots"
        title={t('snapshots.title')}
        summary={t('snapshots.summary')}
        icon={<IconCamera {...sign} />}
      >
        <Suspense fallback={<Skeleton height="9rem" radius="md" />}>
          <SnapshotTimers />
        </Suspense>
      </Section>
      <Section value="3" title={t('list.title')} summary={t('list.summary')} icon={<IconHistory {...sign} />}>
        <RecordList isOn={rules.all} />
      </Section>
    </Sections>
  );
}
