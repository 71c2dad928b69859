import type { PushTarget } from '@srs-stack/contract';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { Section } from '../../ui/sections.tsx';
import { WorkerBadge } from '../worker/worker-badge.tsx';
import type { WorkerFacts } from '../worker/worker-phase.ts';
import { PlatformLogo } from './platform-logo.tsx';
import { platformPresets } from './platform-presets.ts';
import classes from './push-target.module.css';
import { isBuiltIn, itemOfPlatform, presetOfTarget, targetName } from './push-targets.ts';

export interface TargetSectionProps {
  stored: PushTarget;
  summary: string;
  item: { row: WorkerFacts | undefined; asOfMs: number };
  /** "Forwarding" or "Streaming". */
  activeWord: string;
  children: (name: string) => ReactNode;
}

export function TargetSection({ stored, summary, item: { row, asOfMs }, activeWord, children }: TargetSectionProps) {
  const { t } = useTranslation('push-target');
  const locale = useLocale();
  const name = targetName(stored, locale) || t('unnamed');
  return (
    <Section
      value={itemOfPlatform(stored.platform)}
      title={name}
      summary={summary}
      icon={<PlatformLogo logo={presetOfTarget(stored, locale)?.logo ?? 'other'} />}
      badge={
        stored.enabled &&
        (row ? (
          <WorkerBadge facts={row} activeWord={activeWord} asOfMs={asOfMs} />
        ) : (
          <span className={classes.badgeRoom} />
        ))
      }
    >
      {children(name)}
    </Section>
  );
}

/** Stored or initial values of a target. A copy has no name and no key, because two publishers with one key disconnect each other. */
export function useStoredTarget<Target extends PushTarget>(
  { platform, target, template }: { platform: string; target: Target | undefined; template: Target | undefined },
  empty: (platform: string, server: string, custom: boolean) => Target,
): Target {
  const locale = useLocale();
  const first = useMemo(() => {
    if (template) return { ...template, platform, label: '', secret: '', enabled: false, custom: true };
    const preset = isBuiltIn(platform) ? platformPresets(locale)[platform] : undefined;
    return empty(platform, preset?.isPrefilled ? (preset.servers[0]?.url ?? '') : '', preset === undefined);
  }, [platform, locale, empty, template]);
  return target ?? first;
}
