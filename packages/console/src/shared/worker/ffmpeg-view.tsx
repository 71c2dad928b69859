// FFmpeg process of a task, collapsed by default. The data is requested when the section is expanded.
import { Skeleton, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ResponseOf, WorkerKind } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { pollIntervalMs } from '@srs-stack/contract/constants.ts';
import { IconChevronDown, IconTerminal2 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId, useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../api/api-query.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { formatBytes } from '../format-bytes.ts';
import { QueryPlaceholder } from '../query-placeholder.tsx';
import classes from './ffmpeg-view.module.css';

export interface FfmpegViewProps {
  kind: WorkerKind;
  /** '' for the transcoder. */
  platform?: string;
}

export function FfmpegView(props: FfmpegViewProps) {
  const { t } = useTranslation('worker');
  const panelId = useId();
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div className={classes.view}>
      <UnstyledButton className={classes.toggle!} aria-expanded={opened} aria-controls={panelId} onClick={toggle}>
        <IconTerminal2 size={18} aria-hidden />
        {t('advanced.title')}
        <IconChevronDown size={16} aria-hidden className={classes.chevron} data-opened={opened || undefined} />
      </UnstyledButton>
      <div id={panelId}>{opened && <Process {...props} />}</div>
    </div>
  );
}

function Process({ kind, platform = '' }: FfmpegViewProps) {
  const logs = useQuery({
    ...apiQuery(calls.queryWorkerLogs, { kind, platform }),
    refetchInterval: pollIntervalMs,
  });
  if (logs.data) return <ProcessFacts process={logs.data} />;
  return <QueryPlaceholder query={logs} skeleton={<Skeleton height="14rem" />} />;
}

function ProcessFacts({ process }: { process: ResponseOf<typeof calls.queryWorkerLogs> }) {
  const { t, i18n } = useTranslation('worker');
  const number = (value: number) => value.toLocaleString(i18n.language, { maximumFractionDigits: 1 });
  const runs = process.pid > 0;
  const facts = [
    ['pid', runs ? String(process.pid) : '–'],
    ['cpu', runs ? `${number(process.cpuPercent)}%` : '–'],
    ['memory', runs ? formatBytes(process.rssBytes, i18n.language) : '–'],
    ['restarts', number(process.restarts)],
  ] as const;
  return (
    <div className={classes.process}>
      <dl className={classes.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(`advanced.${name}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {process.command !== '' ? (
        <CodeBlock code={process.command} name={t('advanced.command')} />
      ) : (
        <p className={classes.note}>{t('advanced.notRunning')}</p>
      )}
      <LogLines lines={process.logs} />
    </div>
  );
}

/** Scrolls to new lines, unless the operator has scrolled up. */
function LogLines({ lines }: { lines: readonly string[] }) {
  const { t } = useTranslation('worker');
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls after new lines are on the page
  useLayoutEffect(() => {
    if (box.current && follows.current) box.current.scrollTop = box.current.scrollHeight;
  }, [lines]);
  if (lines.length === 0) return <p className={classes.note}>{t('advanced.noLog')}</p>;
  return (
    <figure className={classes.log} aria-label={t('advanced.log')}>
      <figcaption>
        {t('advanced.log')} <CopyButton value={lines.join('\n')} name={t('advanced.log')} />
      </figcaption>
      <pre
        ref={box}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long log scrolls, also by keyboard
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 24;
        }}
      >
        {lines.join('\n')}
      </pre>
    </figure>
  );
}
