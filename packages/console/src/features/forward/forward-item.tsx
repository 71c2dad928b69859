// One target of the accordion: its settings, its switch, and how it is doing.
import type { ForwardRow, ForwardTarget } from '@srs-stack/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../app/current-locale.ts';
import { LabelFields } from '../../shared/push-target/label-fields.tsx';
import { PlatformLogo } from '../../shared/push-target/platform-logo.tsx';
import { platformPresets } from '../../shared/push-target/platform-presets.ts';
import classes from '../../shared/push-target/push-target.module.css';
import { isBuiltIn, itemOfPlatform, presetOfTarget, targetName } from '../../shared/push-target/push-targets.ts';
import { ServerFields } from '../../shared/push-target/server-fields.tsx';
import { SourceStreamField } from '../../shared/push-target/source-stream-field.tsx';
import { TargetButtons } from '../../shared/push-target/target-buttons.tsx';
import { useTargetForm } from '../../shared/push-target/use-target-form.ts';
import { WorkerBadge } from '../../shared/worker/worker-badge.tsx';
import { WorkerPanel } from '../../shared/worker/worker-panel.tsx';
import { Section } from '../../ui/sections.tsx';
import { useSaveForward } from './queries.ts';
import { emptyForward, validateForward } from './validate-forward.ts';

export interface ForwardItemProps {
  platform: string;
  /** Undefined for one that was never saved. */
  target: ForwardTarget | undefined;
  row: ForwardRow | undefined;
  asOfMs: number;
  onRemove: () => void;
  isRemoving: boolean;
}

export function ForwardItem(props: ForwardItemProps) {
  const { platform, target, row, asOfMs } = props;
  const { t } = useTranslation(['forward', 'push-target']);
  const locale = useLocale();
  const first = useMemo(() => {
    const preset = isBuiltIn(platform) ? platformPresets(locale)[platform] : undefined;
    return emptyForward(platform, preset?.isPrefilled ? (preset.servers[0]?.url ?? '') : '', preset === undefined);
  }, [platform, locale]);
  const stored = target ?? first;
  const name = targetName(stored, locale) || t('push-target:unnamed');
  const enabled = stored.enabled;
  return (
    <Section
      value={itemOfPlatform(platform)}
      title={name}
      summary={stored.server}
      icon={<PlatformLogo logo={presetOfTarget(stored, locale)?.logo ?? 'other'} />}
      badge={row && enabled && <WorkerBadge facts={row} activeWord={t('forwarding')} asOfMs={asOfMs} />}
    >
      <ForwardEditor {...props} stored={stored} name={name} />
    </Section>
  );
}

function ForwardEditor({ stored, name, ...props }: ForwardItemProps & { stored: ForwardTarget; name: string }) {
  const { platform, row, asOfMs, onRemove, isRemoving } = props;
  const { t } = useTranslation('forward');
  const locale = useLocale();
  const save = useSaveForward();
  const form = useTargetForm({ stored, validate: validateForward, save });
  const { fields, set, problem } = form;
  const errorOf = (field: typeof problem) => (field && field === problem ? t(`problem.${field}`) : undefined);
  const isAdded = !isBuiltIn(platform);
  return (
    <div className={classes.form}>
      {isAdded && <LabelFields {...{ fields, set }} labelError={errorOf('label')} canBeCustom={false} />}
      <ServerFields
        {...{ fields, set }}
        preset={presetOfTarget({ ...fields, platform }, locale)}
        serverError={errorOf('server')}
      />
      <SourceStreamField value={fields.stream} onChange={(stream) => set({ stream })} error={errorOf('stream')} />
      {!isAdded && <LabelFields {...{ fields, set }} labelError={errorOf('label')} canBeCustom />}
      <TargetButtons
        form={form}
        startText={t('start')}
        stopText={t('stop')}
        {...(isAdded
          ? { remove: { consequence: t('removeText', { name }), onConfirm: onRemove, isPending: isRemoving } }
          : {})}
      />
      {row && <WorkerPanel kind="forward" row={row} asOfMs={asOfMs} />}
    </div>
  );
}
