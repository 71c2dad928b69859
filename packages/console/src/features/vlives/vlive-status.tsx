// Accordion item 99: the status of all targets, polled every ten seconds.
import { IconMovie } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { TargetStatus } from '../../shared/push-target/target-status.tsx';
import type { useVliveRows, VliveTargets } from './queries.ts';

export interface VliveStatusProps {
  targets: VliveTargets;
  rows: ReturnType<typeof useVliveRows>;
  onOpen: (platform: string) => void;
}

export function VliveStatus({ targets, rows, onOpen }: VliveStatusProps) {
  const { t } = useTranslation('vlives');
  return (
    <TargetStatus
      targets={targets}
      rows={rows}
      onOpen={onOpen}
      sourceOf={({ files, playing, source }) => {
        if (!playing || files.length < 2) return files.find(({ uuid }) => uuid === source)?.name ?? '';
        const name = files[playing.index]?.name ?? '';
        return t('status.source', { name, place: playing.index + 1, count: files.length });
      }}
      emptyIcon={<IconMovie size={26} stroke={1.6} aria-hidden />}
      texts={{
        title: t('status.title'),
        emptyTitle: t('status.emptyTitle'),
        empty: t('status.empty'),
        active: t('streaming'),
      }}
    />
  );
}
