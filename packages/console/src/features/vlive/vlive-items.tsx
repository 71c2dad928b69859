// What the accordion of virtual live is filled with.
import { addedPlatformMarks } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { TargetAccordion } from '../../shared/push-target/target-accordion.tsx';
import { workerPhase } from '../../shared/worker/worker-phase.ts';
import { useRemoveVlive, useVliveRows, type VliveTargets } from './queries.ts';
import { VliveIntroduction } from './vlive-introduction.tsx';
import { VliveItem } from './vlive-item.tsx';
import { VliveStatus } from './vlive-status.tsx';

export function VliveItems({ targets }: { targets: VliveTargets }) {
  const { t } = useTranslation('vlive');
  const rows = useVliveRows();
  const remove = useRemoveVlive();
  const active = (rows.data ?? []).filter((row) => workerPhase(row) === 'active').length;
  const removeTarget = async (platform: string, forget: () => void) => {
    if (targets[platform]) await remove.mutateAsync({ platform });
    forget();
  };
  return (
    <TargetAccordion
      targets={targets}
      mark={addedPlatformMarks.vlive}
      introduction={{ title: t('introduction.title'), content: <VliveIntroduction /> }}
      addText={t('add')}
      status={{
        title: t('status.title'),
        summary: t('status.summary', { count: active }),
        render: (onOpen) => <VliveStatus targets={targets} rows={rows} onOpen={onOpen} />,
      }}
      renderItem={(platform, forget) => (
        <VliveItem
          platform={platform}
          target={targets[platform]}
          row={rows.data?.find((row) => row.platform === platform)}
          asOfMs={rows.dataUpdatedAt}
          onRemove={() => void removeTarget(platform, forget).catch(() => {})}
          isRemoving={remove.isPending && remove.variables.platform === platform}
        />
      )}
    />
  );
}
