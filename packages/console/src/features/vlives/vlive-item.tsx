import { Text } from '@mantine/core';
import type { VliveRow, VliveTarget } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { TargetEditor } from '../../shared/push-target/target-editor.tsx';
import type { TargetItem } from '../../shared/push-target/target-items.tsx';
import { TargetSection, useStoredTarget } from '../../shared/push-target/target-section.tsx';
import { useTargetForm } from '../../shared/push-target/use-target-form.ts';
import { NowPlaying } from './now-playing.tsx';
import { isSameOrder } from './playlist-order.ts';
import { useSaveVlive } from './queries.ts';
import { SourceField } from './source/source-field.tsx';
import { StartTimeField } from './start-time-field.tsx';
import { TranscodedNote } from './transcoded-note.tsx';
import { emptyVlive, type VliveProblem, validateVlive } from './validate-vlive.ts';

type Item = TargetItem<VliveTarget, VliveRow>;

export function VliveItem(item: Item) {
  const { t } = useTranslation('vlives');
  const stored = useStoredTarget(item, emptyVlive);
  const summary = stored.files.map((file) => file.name).join(', ') || stored.server;
  return (
    <TargetSection stored={stored} summary={summary} item={item} activeWord={t('streaming')}>
      {(name) => <VliveEditor item={item} stored={stored} name={name} />}
    </TargetSection>
  );
}

function VliveEditor({ item, stored, name }: { item: Item; stored: VliveTarget; name: string }) {
  const { t } = useTranslation('vlives');
  const form = useTargetForm({ stored, validate: validateVlive, save: useSaveVlive() });
  const { fields, set, problem } = form;
  const errorOf = (field: VliveProblem) => (field === problem ? t(`problem.${field}`) : undefined);
  const isReordered = fields.files.length > 0 && !isSameOrder(fields.files, stored.files);
  return (
    <TargetEditor
      kind="vlive"
      item={item}
      form={form}
      errors={{ server: errorOf('server'), label: errorOf('label') }}
      texts={{ start: t('start'), stop: t('stop'), remove: t('removeText', { name }) }}
      before={
        <>
          <SourceField
            platform={item.platform}
            files={fields.files}
            storedFiles={stored.files}
            onChange={(files) => set({ files })}
            error={errorOf('files')}
          />
          {isReordered && (
            <Text size="sm" c="var(--attention)">
              {t('playlist.unsaved')}
            </Text>
          )}
        </>
      }
      after={
        <StartTimeField
          startAt={fields.startAt}
          isOnAir={item.row?.state === 'running'}
          onChange={(startAt) => set({ startAt })}
        />
      }
      note={
        item.row && (
          <>
            <NowPlaying row={item.row} asOfMs={item.asOfMs} />
            <TranscodedNote transcoded={item.row.transcoded} />
          </>
        )
      }
    />
  );
}
