// The rewind window: duration, disk space, streams, and a switch that takes effect immediately.
import { Button, Group, NumberInput, Stack, Text, Textarea } from '@mantine/core';
import type { ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { leastRewindBytes, maxKeptBytes, maxRewindMinutes } from '@srs-stack/contract/limits.ts';
import { isValidStreamPattern } from '@srs-stack/contract/stream-pattern.ts';
import { IconDeviceFloppy, IconRewindBackward30 } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { apiQuery } from '../../../api/api-query.ts';
import { useLocale } from '../../../navigation/current-locale.ts';
import { EquivalentCall } from '../../../shared/equivalent-call.tsx';
import { formatBytes } from '../../../shared/format-bytes.ts';
import { Panel } from '../../../ui/panel.tsx';
import { showToast } from '../../../ui/toast.ts';
import { useRewind, useUpdateRewind } from './queries.ts';
import { SwitchChoice } from './switch-choice.tsx';

type Rewind = ResponseOf<typeof calls.queryRewind>;
type Update = ReturnType<typeof useUpdateRewind>;

/** Initial duration when the operator enables the window, minutes. */
const firstMinutes = 60;
const bytesPerGigabyte = 1024 ** 3;
const leastGigabytes = Math.ceil((leastRewindBytes / bytesPerGigabyte) * 10) / 10;
const maxGigabytes = maxKeptBytes / bytesPerGigabyte;

/** Renders nothing for an external SRS, which has no rewind windows. */
export function RewindPanel() {
  const server = useQuery({ ...apiQuery(calls.queryComponents, {}), retry: false }).data?.mediaServer;
  return server?.engine === 'srs' ? null : <Rewinding />;
}

function Rewinding() {
  const { t } = useTranslation('hls-settings');
  const rewind = useRewind();
  const update = useUpdateRewind(() => void showToast({ message: t('rewind.saved') }));
  const { data } = rewind;
  const save = (minutes: number) =>
    data && update.mutate({ minutes, patterns: data.patterns, revision: data.revision });
  return (
    <Panel
      title={t('rewind.title')}
      description={t('rewind.text')}
      icon={<IconRewindBackward30 size={20} aria-hidden />}
    >
      <SwitchChoice
        label={t('rewind.title')}
        query={rewind}
        isOn={data && data.minutes > 0}
        off={{ name: t('rewind.off.name'), text: t('rewind.off.text') }}
        on={{ name: t('rewind.on.name'), text: t('rewind.on.text') }}
        savingTo={update.isPending ? (update.variables.minutes ?? 0) > 0 : undefined}
        onChoose={(on) => save(on ? firstMinutes : 0)}
      />
      {data && data.minutes > 0 && <RewindForm key={data.revision} rewind={data} update={update} />}
      <EquivalentCall
        endpoint={calls.updateRewind}
        request={{ minutes: data?.minutes ?? 0, maxBytes: data?.maxBytes, patterns: data?.patterns ?? [] }}
      />
    </Panel>
  );
}

function RewindForm({ rewind, update }: { rewind: Rewind; update: Update }) {
  const { t } = useTranslation('hls-settings');
  const [minutes, setMinutes] = useState<number | string>(rewind.minutes);
  const [gigabytes, setGigabytes] = useState<number | string>(rewind.maxBytes / bytesPerGigabyte);
  const [streams, setStreams] = useState(rewind.patterns.join('\n'));
  const patterns = streams.split(/\s+/).filter((pattern) => pattern !== '');
  const wrong = patterns.find((pattern) => !isValidStreamPattern(pattern));
  const isMinutes = Number.isInteger(minutes) && Number(minutes) >= 1 && Number(minutes) <= maxRewindMinutes;
  const isSize = Number(gigabytes) >= leastGigabytes && Number(gigabytes) <= maxGigabytes;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isMinutes || !isSize || wrong !== undefined) return;
    const maxBytes = Math.round(Number(gigabytes) * bytesPerGigabyte);
    update.mutate({ minutes: Number(minutes), maxBytes, patterns, revision: rewind.revision });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="sm" mt="md">
        <Group gap="md" align="flex-start">
          <NumberInput
            label={t('rewind.minutes')}
            value={minutes}
            onChange={setMinutes}
            clampBehavior="none"
            error={!isMinutes && t('rewind.minutesInvalid', { max: maxRewindMinutes })}
            w="12rem"
          />
          <NumberInput
            label={t('rewind.size')}
            value={gigabytes}
            onChange={setGigabytes}
            decimalScale={1}
            clampBehavior="none"
            error={!isSize && t('rewind.sizeInvalid', { min: leastGigabytes, max: maxGigabytes })}
            w="12rem"
          />
        </Group>
        <Textarea
          label={t('rewind.streams')}
          description={t('rewind.streamsHint')}
          placeholder="live/*"
          value={streams}
          onChange={(event) => setStreams(event.currentTarget.value)}
          error={wrong !== undefined && t('rewind.streamsInvalid', { pattern: wrong })}
          rows={2}
          maw="32rem"
        />
        <RewindUse rewind={rewind} />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={update.isPending}
            leftSection={<IconDeviceFloppy size={16} aria-hidden />}
          >
            {t('rewind.save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** When this share of the configured disk space is used, rewind windows are shorter than configured. */
const fullShare = 0.95;

function RewindUse({ rewind: { usedBytes, maxBytes, windows } }: { rewind: Rewind }) {
  const { t } = useTranslation('hls-settings');
  const locale = useLocale();
  const used = t('rewind.used', {
    count: windows,
    used: formatBytes(usedBytes, locale),
    most: formatBytes(maxBytes, locale),
  });
  return (
    <Text size="sm" c="dimmed">
      {used} {usedBytes > maxBytes * fullShare && t('rewind.shortened')}
    </Text>
  );
}
