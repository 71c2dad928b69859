// Form for proxied paths. One button saves all paths.
import { ActionIcon, Alert, Button, TextInput, Tooltip } from '@mantine/core';
import type { ProxyLocation, ResponseOf } from '@srs-stack/contract';
import { calls } from '@srs-stack/contract/calls.ts';
import { maxPathLength, maxProxyLocations, maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { IconAlertTriangle, IconArrowRight, IconPlus, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SettingsFooter } from '../../../shared/settings-form/settings-footer.tsx';
import { useSettingsForm } from '../../../shared/settings-form/use-settings-form.ts';
import { monoInput } from '../../../ui/mono-input.ts';
import classes from './proxy.module.css';

const empty: ProxyLocation = { location: '', backend: '' };

export function LocationsForm({ stored }: { stored: ResponseOf<typeof calls.queryProxyLocations> }) {
  const { t } = useTranslation('web-front');
  const [isRefused, setIsRefused] = useState(false);
  const form = useSettingsForm({
    stored: { locations: stored.locations },
    revision: stored.revision,
    update: calls.updateProxyLocations,
    refreshes: [calls.queryProxyLocations],
    toRequest: ({ locations }, revision) => ({ locations, ...(revision === undefined ? {} : { revision }) }),
    savedText: t('locations.saved'),
  });
  const { locations } = form.values;
  const isComplete = locations.every(({ location, backend }) => location.trim() !== '' && backend.trim() !== '');
  const change = (next: ProxyLocation[]) => {
    setIsRefused(false);
    form.change({ locations: next });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setIsRefused(!isComplete);
    if (isComplete) form.save();
  };
  return (
    <form onSubmit={onSubmit} className={classes.form} noValidate>
      {locations.length > 0 && (
        <ul className={classes.rows} aria-label={t('locations.title')}>
          {locations.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity and keep their positions
            <li key={index}>
              <LocationRow
                row={row}
                isRefused={isRefused}
                onChange={(next) => change(locations.with(index, next))}
                onRemove={() => change(locations.toSpliced(index, 1))}
              />
            </li>
          ))}
        </ul>
      )}
      <Button
        variant="default"
        size="xs"
        leftSection={<IconPlus size={16} aria-hidden />}
        disabled={locations.length >= maxProxyLocations}
        onClick={() => change([...locations, empty])}
      >
        {t('locations.add')}
      </Button>
      {locations.length > 0 && (
        <Alert color="amber" variant="light" mt="md" p="sm" icon={<IconAlertTriangle aria-hidden />}>
          {t('locations.warning')}
        </Alert>
      )}
      <SettingsFooter form={form} />
    </form>
  );
}

interface LocationRowProps {
  row: ProxyLocation;
  isRefused: boolean;
  onChange: (row: ProxyLocation) => void;
  onRemove: () => void;
}

function LocationRow({ row, isRefused, onChange, onRemove }: LocationRowProps) {
  const { t } = useTranslation('web-front');
  const remove = t('locations.remove', { location: row.location || '…' });
  return (
    <div className={classes.row}>
      <TextInput
        label={t('locations.location')}
        placeholder="/shop"
        value={row.location}
        maxLength={maxPathLength}
        onChange={(event) => onChange({ ...row, location: event.currentTarget.value })}
        error={isRefused && row.location.trim() === '' ? t('locations.locationMissing') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
      />
      <span className={classes.arrow}>
        <IconArrowRight size={18} aria-hidden />
      </span>
      <TextInput
        label={t('locations.backend')}
        placeholder="http://127.0.0.1:8080"
        value={row.backend}
        maxLength={maxTargetUrlLength}
        onChange={(event) => onChange({ ...row, backend: event.currentTarget.value })}
        error={isRefused && row.backend.trim() === '' ? t('locations.backendMissing') : undefined}
        autoComplete="off"
        spellCheck={false}
        styles={monoInput}
        inputMode="url"
      />
      <Tooltip label={remove}>
        <ActionIcon size="input-sm" variant="default" aria-label={remove} onClick={onRemove}>
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}
