// Finds ONVIF cameras by a network search or by address.
// Reads the data of a camera with user and password, and fills the form.
import { Alert, Button, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import type { DiscoveredCamera, OnvifDevice, OnvifProfile } from '@srs-stack/contract';
import { maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { IconSearch } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InlineFailure } from '../../shared/inline-failure.tsx';
import type { CameraFields } from './camera-fields.ts';
import classes from './cameras.module.css';
import { useDiscoverCameras, useReadOnvifCamera } from './queries.ts';

export interface OnvifFinderProps {
  acceptsAnyCertificate: boolean;
  onFound: (fields: Partial<CameraFields>) => void;
}

export function OnvifFinder({ acceptsAnyCertificate, onFound }: OnvifFinderProps) {
  const { t } = useTranslation('cameras');
  const [address, setAddress] = useState('');
  const [name, setName] = useState('');
  const search = useDiscoverCameras();
  return (
    <fieldset className={classes.finder}>
      <legend>{t('onvif.title')}</legend>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconSearch size={16} aria-hidden />}
        loading={search.isPending}
        onClick={() => search.mutate({})}
      >
        {t('onvif.search')}
      </Button>
      {search.error && <InlineFailure error={search.error} />}
      {search.data && (
        <Found
          cameras={search.data}
          onChoose={(camera) => {
            setAddress(camera.address);
            setName(camera.name);
          }}
        />
      )}
      <TextInput
        label={t('onvif.address')}
        placeholder="http://192.168.1.64/onvif/device_service"
        value={address}
        maxLength={maxTargetUrlLength}
        onChange={(event) => setAddress(event.currentTarget.value)}
        autoComplete="off"
        spellCheck={false}
      />
      <Login key={address} {...{ address: address.trim(), name, acceptsAnyCertificate, onFound }} />
    </fieldset>
  );
}

function Found({
  cameras,
  onChoose,
}: {
  cameras: readonly DiscoveredCamera[];
  onChoose: (camera: DiscoveredCamera) => void;
}) {
  const { t } = useTranslation('cameras');
  if (cameras.length === 0) return <p className={classes.fact}>{t('onvif.none')}</p>;
  return (
    <ul className={classes.found} aria-label={t('onvif.found')}>
      {cameras.map((camera) => (
        <li key={camera.address}>
          <Button size="xs" variant="light" onClick={() => onChoose(camera)}>
            {[camera.name, camera.model, camera.host].filter((part) => part !== '').join(' · ')}
          </Button>
        </li>
      ))}
    </ul>
  );
}

interface LoginProps extends OnvifFinderProps {
  address: string;
  name: string;
}

function Login({ address, name, acceptsAnyCertificate, onFound }: LoginProps) {
  const { t } = useTranslation('cameras');
  const [user, setUser] = useState('');
  const [password, setPassword] = useState('');
  const read = useReadOnvifCamera();
  return (
    <>
      <div className={classes.login}>
        <TextInput
          label={t('onvif.user')}
          value={user}
          onChange={(event) => setUser(event.currentTarget.value)}
          autoComplete="off"
        />
        <PasswordInput
          label={t('onvif.password')}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          autoComplete="off"
        />
      </div>
      <Button
        size="xs"
        variant="default"
        disabled={address === ''}
        loading={read.isPending}
        onClick={() => read.mutate({ address, user, password, acceptsAnyCertificate })}
      >
        {t('onvif.read')}
      </Button>
      {read.error && <InlineFailure error={read.error} />}
      {read.data && <Profiles device={read.data} name={name} onFound={onFound} />}
    </>
  );
}

function Profiles({
  device,
  name,
  onFound,
}: { device: OnvifDevice; name: string } & Pick<OnvifFinderProps, 'onFound'>) {
  const { t } = useTranslation('cameras');
  const { profiles, snapshot, model, address } = device;
  const [main, setMain] = useState(profiles[0]?.token ?? '');
  const [sub, setSub] = useState(profiles[1]?.token ?? '');
  const choices = profiles.map((profile) => ({ value: profile.token, label: describe(profile) }));
  const find = (token: string) => profiles.find((profile) => profile.token === token);
  const use = () => {
    const chosen = find(main);
    if (!chosen) return;
    onFound({
      address: chosen.address,
      subAddress: find(sub)?.address ?? '',
      ptz: chosen.hasPtz ? { address, profile: chosen.token } : null,
      label: name || model,
    });
  };
  if (profiles.length === 0) return <Alert color="yellow">{t('onvif.noProfiles')}</Alert>;
  return (
    <>
      {snapshot !== '' && (
        <img
          className={classes.snapshot}
          src={`data:image/jpeg;base64,${snapshot}`}
          alt={t('onvif.image', { model })}
        />
      )}
      <NativeSelect
        label={t('onvif.main')}
        data={choices}
        value={main}
        onChange={(event) => setMain(event.currentTarget.value)}
      />
      <NativeSelect
        label={t('onvif.sub')}
        data={[{ value: '', label: t('onvif.noSub') }, ...choices]}
        value={sub}
        onChange={(event) => setSub(event.currentTarget.value)}
      />
      <Button size="xs" onClick={use}>
        {t('onvif.use')}
      </Button>
    </>
  );
}

function describe({ name, codec, width, height, fps }: OnvifProfile): string {
  const size = width > 0 ? `${width} × ${height}` : '';
  return [name, codec, size, fps > 0 ? `${fps} fps` : ''].filter((part) => part !== '').join(' · ');
}
