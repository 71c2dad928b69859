// Playback quality: charts of all streams or of a selected stream, and a table by stream and output.
import { Select, Table } from '@mantine/core';
import type { MonitorRange, ViewersHistory } from '@srs-stack/contract';
import { IconUsers } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languages } from '../../i18n/languages.ts';
import { useLocale } from '../../navigation/current-locale.ts';
import { outputNames, viewerFormats } from '../../shared/viewers/viewer-charts.ts';
import { ViewerHistory } from '../../shared/viewers/viewer-history.tsx';
import { Panel } from '../../ui/panel.tsx';
import classes from './dashboard.module.css';

export function ViewersPanel({ range }: { range: MonitorRange }) {
  const { t } = useTranslation('viewers');
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Panel title={t('title')} description={t('text')} icon={<IconUsers size={20} aria-hidden />}>
      <ViewerHistory
        name={nameOf(chosen)}
        range={range}
        choice={({ streams }) => <StreamChoice streams={streams} chosen={chosen} onChoose={setChosen} />}
      >
        {({ streams }) => <StreamTable streams={streams} />}
      </ViewerHistory>
    </Panel>
  );
}

function nameOf(path: string | null): { app: string; stream: string } | undefined {
  const at = path?.lastIndexOf('/') ?? -1;
  return path === null || at < 0 ? undefined : { app: path.slice(0, at), stream: path.slice(at + 1) };
}

interface StreamChoiceProps extends Pick<ViewersHistory, 'streams'> {
  chosen: string | null;
  onChoose: (path: string | null) => void;
}

function StreamChoice({ streams, chosen, onChoose }: StreamChoiceProps) {
  const { t } = useTranslation('viewers');
  const paths = new Set([...streams.map(({ app, stream }) => `${app}/${stream}`), ...(chosen ? [chosen] : [])]);
  if (paths.size < 2 && chosen === null) return null;
  return (
    <Select
      aria-label={t('stream')}
      size="xs"
      placeholder={t('allStreams')}
      data={[...paths].sort()}
      value={chosen}
      onChange={onChoose}
      clearable
    />
  );
}

function StreamTable({ streams }: Pick<ViewersHistory, 'streams'>) {
  const { t } = useTranslation('viewers');
  const language = languages[useLocale()].htmlLang;
  const { people, count, seconds, share, rate } = useMemo(() => viewerFormats(language), [language]);
  const written = (value: number | null, format: (value: number) => string) => (value === null ? '–' : format(value));
  return (
    <Table.ScrollContainer
      minWidth="44rem"
      scrollAreaProps={{ viewportProps: { tabIndex: 0, role: 'region', 'aria-label': t('table.label') } }}
    >
      <Table verticalSpacing="xs" aria-label={t('table.label')} className={classes.viewers}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('table.stream')}</Table.Th>
            <Table.Th>{t('table.output')}</Table.Th>
            <Table.Th>{t('table.viewers')}</Table.Th>
            <Table.Th>{t('table.join')}</Table.Th>
            <Table.Th>{t('table.stalled')}</Table.Th>
            <Table.Th>{t('table.stalls')}</Table.Th>
            <Table.Th>{t('table.bitrate')}</Table.Th>
            <Table.Th>{t('table.delay')}</Table.Th>
            <Table.Th>{t('table.dropped')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {streams.map(({ app, stream, output, figures }) => (
            <Table.Tr key={`${app}/${stream} ${output}`}>
              <Table.Th scope="row">{`${app}/${stream}`}</Table.Th>
              <Table.Td>{outputNames[output]}</Table.Td>
              <Table.Td>{people(figures.viewers)}</Table.Td>
              <Table.Td>{`${written(figures.joinP50, seconds)} / ${written(figures.joinP95, seconds)}`}</Table.Td>
              <Table.Td>{written(figures.stalledShare, share)}</Table.Td>
              <Table.Td>{written(figures.stallsPerHour, count)}</Table.Td>
              <Table.Td>{written(figures.receivedBps, rate)}</Table.Td>
              <Table.Td>{written(figures.delayP50, seconds)}</Table.Td>
              <Table.Td>{written(figures.droppedShare, share)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
