// What the accordion of forwarding is filled with.
import { addedPlatformMarks } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { TargetAccordion } from '../../shared/push-target/target-accordion.tsx';
import { workerPhase } from '../../shared/worker/worker-phase.ts';
import { ForwardIntroduction } from './forward-introduction.tsx';
import { ForwardItem } from './forward-item.tsx';
import { ForwardStatus } from './forward-status.tsx';
import { type ForwardTargets, useForwardRows, useRemoveForward } from './queries.ts';

export function ForwardItems({ targets }: { targets: ForwardTargets }) {
  const { t } = useTranslation('forward');
  const rows = useForwardRows();
  const remove = useRemoveForward();
  const active = (rows.data ?? []).filter((row) => workerPhase(row) === 'active').length;
  const removeTarget = async (platform: string, forget: () => void) => {
    if (targets[platform]) await remove.mutateAsync({ platform });
    forget();
  };
  return (
    <TargetAccordion
      targets={targets}
      mark={addedPlatformMarks.forward}
      introduction={{ title: t('introduction.title'), content: <ForwardIntroduction /> }}
      addText={t('add')}
      status={{
        title: t('status.title'),
        summary: t('status.summary', { count: active }),
        render: (onOpen) => <ForwardStatus targets={targets} rows={rows} onOpen={onOpen} />,
      }}
      renderItem={(platform, forget) => (
        <ForwardItem
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
