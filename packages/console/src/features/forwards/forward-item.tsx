// One target of the accordion: its settings, its switch, and its state.
import type { ForwardRow, ForwardTarget } from '@srs-stack/contract';
import { useTranslation } from 'react-i18next';
import { SourceStreamField } from '../../shared/push-target/source-stream-field.tsx';
import { TargetEditor } from '../../shared/push-target/target-editor.tsx';
import type { TargetItem } from '../../shared/push-target/target-items.tsx';
import { TargetSection, useStoredTarget } from '../../shared/push-target/target-section.tsx';
import { useTargetForm } from '../../shared/push-target/use-target-form.ts';
import { DelayField } from './delay-field.tsx';
import { EncodeField } from './encode-field.tsx';
import { GroupField } from './group-field.tsx';
import { useSaveForward } from './queries.ts';
import { TargetTest } from './target-test.tsx';
import { emptyForward, type ForwardProblem, validateForward } from './validate-forward.ts';

type Item = TargetItem<ForwardTarget, ForwardRow>;

export function ForwardItem(item: Item) {
  const { t } = useTranslation('forwards');
  const stored = useStoredTarget(item, emptyForward);
  return (
    <TargetSection
      stored={stored}
      summary={[stored.server, stored.group].filter(Boolean).join(' · ')}
      item={item}
      activeWord={t('forwarding')}
    >
      {(name) => <ForwardEditor item={item} stored={stored} name={name} />}
    </TargetSection>
  );
}

function ForwardEditor({ item, stored, name }: { item: Item; stored: ForwardTarget; name: string }) {
  const { t } = useTranslation('forwards');
  const form = useTargetForm({ stored, validate: validateForward, save: useSaveForward() });
  const { fields, set, problem } = form;
  const errorOf = (field: ForwardProblem) => (field === problem ? t(`problem.${field}`) : undefined);
  return (
    <TargetEditor
      kind="forward"
      canBeCopied
      item={item}
      form={form}
      errors={{ server: errorOf('server'), label: errorOf('label') }}
      texts={{ start: t('start'), stop: t('stop'), remove: t('removeText', { name }) }}
      note={<TargetTest fields={fields} platform={item.platform} />}
      after={
        <>
          <SourceStreamField value={fields.stream} onChange={(stream) => set({ stream })} error={errorOf('stream')} />
          <GroupField value={fields.group ?? ''} onChange={(group) => set({ group })} />
          <DelayField
            value={fields.delaySeconds ?? 0}
            onChange={(delaySeconds) => set({ delaySeconds })}
            error={errorOf('delay')}
          />
          <EncodeField
            value={fields.encodeKbps ?? 0}
            onChange={(encodeKbps) => set({ encodeKbps })}
            error={errorOf('encode') ?? errorOf('encodeDelay')}
          />
        </>
      }
    />
  );
}
