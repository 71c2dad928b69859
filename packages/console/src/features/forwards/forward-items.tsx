// All items of the accordion of forwards.
import { addedPlatformMarks } from '@srs-stack/contract/values/push-targets.ts';
import { useTranslation } from 'react-i18next';
import { TargetItems } from '../../shared/push-target/target-items.tsx';
import { ForwardIntroduction } from './forward-introduction.tsx';
import { ForwardItem } from './forward-item.tsx';
import { ForwardStatus } from './forward-status.tsx';
import { ListButton } from './list/list-button.tsx';
import { type ForwardTargets, useForwardRows, useRemoveForward } from './queries.ts';

export function ForwardItems({ targets }: { targets: ForwardTargets }) {
  const { t } = useTranslation('forwards');
  const rows = useForwardRows();
  return (
    <TargetItems
      targets={targets}
      mark={addedPlatformMarks.forward}
      rows={rows}
      remove={useRemoveForward()}
      introduction={{ title: t('introduction.title'), content: <ForwardIntroduction /> }}
      addText={t('add')}
      actions={<ListButton />}
      status={{
        title: t('status.title'),
        summary: (count) => t('status.summary', { count }),
        render: (onOpen) => <ForwardStatus targets={targets} rows={rows} onOpen={onOpen} />,
      }}
      renderItem={(item) => <ForwardItem {...item} />}
    />
  );
}
