// One target of the accordion: what it plays, where to, its switch, and how it is doing.
import { Text } from '@mantine/core';
import type { VliveRow, VliveTarget } from '@srs-stack/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../app/current-locale.ts';
import { LabelFields } from '../../shared/push-target/label-fields.tsx';
import { PlatformLogo } from '../../shared/push-target/platform-logo.tsx';
import { platformPresets } from '../../shared/push-target/platform-presets.ts';
import classes from '../../shared/push-target/push-target.module.css';
import { isBuiltIn, itemOfPlatform, presetOfTarget, targetName } from '../../shared/push-target/push-targets.ts';
import { ServerFields } from '../../shared/push-target/server-fields.tsx';
import { TargetButtons } from '../../shared/push-target/target-buttons.tsx';
import { useTargetForm } from '../../shared/push-target/use-target-form.ts';
import { WorkerBadge } from '../../shared/worker/worker-badge.tsx';
import { WorkerPanel } from '../../shared/worker/worker-panel.tsx';
import { Section } from '../../ui/sections.tsx';
import { isSameOrder } from './playlist-order.ts';
import { useSaveVlive } from './queries.ts';
import { SourceField } from './source/source-field.tsx';
import { TranscodedNote } from './transcoded-note.tsx';
import { emptyVlive, validateVlive } from './validate-vlive.ts';

export interface VliveItemProps {
  platform: string;
  /** Undefined for one that was never saved. */
  target: VliveTarget | undefined;
  row: VliveRow | undefined;
  asOfMs: number;
  onRemove: () => void;
  isRemoving: boolean;
}

export function VliveItem(props: VliveItemProps) {
  const { platform, target, row, asOfMs } = props;
  const { t } = useTranslation(['vlive', 'push-target']);
  const locale = useLocale();
  const first = useMemo(() => {
    const preset = isBuiltIn(platform) ? platformPresets(locale)[platform] : undefined;
    return emptyVlive(platform, preset?.isPrefilled ? (preset.servers[0]?.url ?? '') : '', preset === undefined);
  }, [platform, locale]);
  const stored = target ?? first;
  const name = targetName(stored, locale) || t('push-target:unnamed');
  return (
    <Section
      value={itemOfPlatform(platform)}
      title={name}
      summary={stored.files.map((file) => file.name).join(', ') || stored.server}
      icon={<PlatformLogo logo={presetOfTarget(stored, locale)?.logo ?? 'other'} />}
      badge={row && stored.enabled && <WorkerBadge facts={row} activeWord={t('streaming')} asOfMs={asOfMs} />}
    >
      <VliveEditor {...props} stored={stored} name={name} />
    </Section>
  );
}

function VliveEditor({ stored, name, ...props }: VliveEditorProps) {
  const { platform, row, asOfMs, onRemove, isRemoving } = props;
  const { t } = useTranslation('vlive');
  const locale = useLocale();
  const save = useSaveVlive();
  const form = useTargetForm({ stored, validate: validateVlive, save });
  const { fields, set, problem } = form;
  const errorOf = (field: typeof problem) => (field && field === problem ? t(`problem.${field}`) : undefined);
  const isAdded = !isBuiltIn(platform);
  const isReordered = fields.files.length > 0 && !isSameOrder(fields.files, stored.files);
  return (
    <div className={classes.form}>
      {isAdded && <LabelFields {...{ fields, set }} labelError={errorOf('label')} canBeCustom={false} />}
      <SourceField
        platform={platform}
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
      <ServerFields
        {...{ fields, set }}
        preset={presetOfTarget({ ...fields, platform }, locale)}
        serverError={errorOf('server')}
      />
      {!isAdded && <LabelFields {...{ fields, set }} labelError={errorOf('label')} canBeCustom />}
      <TargetButtons
        form={form}
        startText={t('start')}
        stopText={t('stop')}
        {...(isAdded
          ? { remove: { consequence: t('removeText', { name }), onConfirm: onRemove, isPending: isRemoving } }
          : {})}
      />
      {row && <TranscodedNote transcoded={row.transcoded} />}
      {row && <WorkerPanel kind="vlive" row={row} asOfMs={asOfMs} />}
    </div>
  );
}

interface VliveEditorProps extends VliveItemProps {
  stored: VliveTarget;
  name: string;
}
