import { addedPlatformMarks } from '@srs-stack/contract/values/push-targets.ts';
import { useTranslation } from 'react-i18next';
import { TargetItems } from '../../shared/push-target/target-items.tsx';
import { useRemoveVlive, useVliveRows, type VliveTargets } from './queries.ts';
import { VliveIntroduction } from './vlive-introduction.tsx';
import { VliveItem } from './vlive-item.tsx';
import { VliveStatus } from './vlive-status.tsx';

export function VliveItems({ targets }: { targets: VliveTargets }) {
  const { t } = useTranslation('vlives');
  const rows = useVliveRows();
  return (
    <TargetItems
      targets={targets}
      mark={addedPlatformMarks.vlive}
      rows={rows}
      remove={useRemoveVlive()}
      introduction={{ title: t('introduction.title'), content: <VliveIntroduction /> }}
      addText={t('add')}
      status={{
        title: t('status.title'),
        summary: (count) => t('status.summary', { count }),
        render: (onOpen) => <VliveStatus targets={targets} rows={rows} onOpen={onOpen} />,
      }}
      renderItem={(item) => <VliveItem {...item} />}
    />
  );
}
