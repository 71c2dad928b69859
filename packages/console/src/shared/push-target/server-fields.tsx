import { Autocomplete, Collapse, PasswordInput, Select, Text, UnstyledButton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { maxStreamKeyLength, maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { IconChevronDown, IconExternalLink, IconHelpCircle } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocale } from '../../navigation/current-locale.ts';
import { monoInput, monoSecret } from '../../ui/mono-input.ts';
import { offeredChoices } from './offered-choices.ts';
import type { PlatformPreset } from './platform-preset.ts';
import { allPresets } from './platform-presets.ts';
import classes from './push-target.module.css';
import type { TargetFields } from './use-target-form.ts';

export interface ServerFieldsProps {
  fields: TargetFields;
  set: (change: Partial<TargetFields>) => void;
  /** Platform of the server; undefined if unknown. The suggestions then contain the servers of all platforms. */
  preset: PlatformPreset | undefined;
  serverError: string | undefined;
  /** Whether the form has a platform selection, which fills in server and name. */
  canChoose: boolean;
}

export function ServerFields({ fields, set, preset: known, serverError, canChoose }: ServerFieldsProps) {
  const { t } = useTranslation(['push-target', 'common']);
  const locale = useLocale();
  const server = useRef<HTMLInputElement>(null);
  const keyName = t('key');
  useEffect(() => {
    if (serverError) server.current?.focus();
  }, [serverError]);
  const [chosen, setChosen] = useState<PlatformPreset>();
  const preset = known ?? (canChoose ? chosen : undefined);
  const usual = preset?.servers[0];
  const choices = preset && preset.servers.length > 0 ? [preset] : allPresets(locale);
  return (
    <>
      {canChoose && (
        <PlatformField
          preset={preset}
          onChange={(next) => {
            setChosen(next);
            set(settingsOf(next, fields, allPresets(locale)));
          }}
        />
      )}
      <Autocomplete
        ref={server}
        label={t('server')}
        placeholder={usual?.url ?? 'rtmp://host/app/'}
        value={fields.server}
        onChange={(value) => set({ server: value })}
        error={serverError}
        data={choices
          .filter(({ servers }) => servers.length > 0)
          .map(({ name, servers }) => ({ group: name, items: servers.map(({ url }) => url) }))}
        filter={offeredChoices}
        openOnFocus={false}
        renderOption={({ option }) => <ServerChoice url={option.value} choices={choices} />}
        maxLength={maxTargetUrlLength}
        spellCheck={false}
        autoComplete="off"
        inputMode="url"
        styles={monoInput}
      />
      {usual && fields.server.trim() === '' && (
        <UnstyledButton className={classes.help!} onClick={() => set({ server: usual.url })}>
          {t('usePreset', { name: preset?.name })}
        </UnstyledButton>
      )}
      <PasswordInput
        label={keyName}
        value={fields.secret}
        onChange={(event) => set({ secret: event.currentTarget.value })}
        maxLength={maxStreamKeyLength}
        autoComplete="new-password"
        data-1p-ignore
        data-lpignore="true"
        spellCheck={false}
        styles={monoSecret}
        visibilityToggleButtonProps={{ 'aria-label': t('common:secret.show', { name: keyName }), tabIndex: 0 }}
      />
      {preset && <KeyHelp preset={preset} />}
    </>
  );
}

/** Server and name after a platform is selected. If the platform lists no server, a server that is in no list stays. */
function settingsOf(
  preset: PlatformPreset | undefined,
  fields: TargetFields,
  all: readonly PlatformPreset[],
): Partial<TargetFields> {
  const isListed = all.some(({ servers }) => servers.some(({ url }) => url === fields.server));
  const server = preset?.servers[0]?.url ?? (isListed ? '' : fields.server);
  return { server, ...(fields.label.trim() === '' && { label: preset?.name ?? '' }) };
}

function PlatformField({ preset, onChange }: PlatformFieldProps) {
  const { t } = useTranslation('push-target');
  const presets = allPresets(useLocale());
  return (
    <Select
      label={t('platform.label')}
      placeholder={t('platform.other')}
      data={presets.map(({ name }) => name)}
      value={presets.some(({ name }) => name === preset?.name) ? preset!.name : null}
      onChange={(name) => onChange(presets.find((each) => each.name === name))}
      searchable
      clearable
      nothingFoundMessage={t('platform.none')}
      withScrollArea={false}
      styles={{ options: { maxHeight: '17.5rem', overflowY: 'auto' } }}
      clearButtonProps={{ 'aria-label': t('platform.clear') }}
    />
  );
}

interface PlatformFieldProps {
  preset: PlatformPreset | undefined;
  onChange: (preset: PlatformPreset | undefined) => void;
}

function ServerChoice({ url, choices }: { url: string; choices: readonly PlatformPreset[] }) {
  const name = choices.flatMap(({ servers }) => servers).find((server) => server.url === url)?.name;
  return (
    <div className={classes.choice}>
      <span>{name}</span>
      <code>{url}</code>
    </div>
  );
}

function KeyHelp({ preset }: { preset: PlatformPreset }) {
  const { t } = useTranslation('push-target');
  const panelId = useId();
  const [opened, { toggle }] = useDisclosure(false);
  return (
    <div>
      <UnstyledButton className={classes.help!} aria-expanded={opened} aria-controls={panelId} onClick={toggle}>
        <IconHelpCircle size={18} aria-hidden />
        {t('help.title')}
        <IconChevronDown size={16} aria-hidden className={classes.chevron} data-opened={opened || undefined} />
      </UnstyledButton>
      <Collapse expanded={opened} id={panelId}>
        <div className={classes.helpPanel}>
          <ol>
            {preset.keySteps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <Text
            component="a"
            href={preset.keyPage}
            target="_blank"
            rel="noreferrer"
            size="sm"
            fw={600}
            c="var(--accent)"
          >
            {t('help.open', { name: preset.name })} <IconExternalLink size={14} aria-hidden />
          </Text>
        </div>
      </Collapse>
    </div>
  );
}
