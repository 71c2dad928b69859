// Accordion item 99: the status of all targets, polled every ten seconds.
import { IconShare3 } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { TargetStatus } from '../../shared/push-target/target-status.tsx';
import { ForwardSwitches } from './forward-switches.tsx';
import type { ForwardTargets, useForwardRows } from './queries.ts';

export interface ForwardStatusProps {
  targets: ForwardTargets;
  rows: ReturnType<typeof useForwardRows>;
  onOpen: (platform: string) => void;
}

export function ForwardStatus({ targets, rows, onOpen }: ForwardStatusProps) {
  const { t } = useTranslation('forwards');
  return (
    <>
      <ForwardSwitches targets={targets} />
      <TargetStatus
        targets={targets}
        rows={rows}
        onOpen={onOpen}
        sourceOf={(row) => row.stream ?? ''}
        emptyIcon={<IconShare3 size={26} stroke={1.6} aria-hidden />}
        texts={{
          title: t('status.title'),
          emptyTitle: t('status.emptyTitle'),
          empty: t('status.empty'),
          active: t('forwarding'),
        }}
      />
    </>
  );
}
