// Fields for the kind and address of a source. Pasting an address selects its kind.
import { NumberInput, PasswordInput, Radio, Select, TextInput } from '@mantine/core';
import { maxTargetUrlLength } from '@srs-stack/contract/limits.ts';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './cameras.module.css';
import { type FormKind, formKinds, kindOfAddress, readSrt, readUdp, writeSrt, writeUdp } from './source-address.ts';

interface AddressProps {
  address: string;
  onChange: (address: string) => void;
  /** Returns the error message for an empty required field. */
  missing: (value: string) => string | undefined;
}

const examples: Readonly<Record<Exclude<FormKind, 'srt' | 'udp'>, string>> = {
  rtsp: 'rtsp://admin:password@192.168.1.64/Streaming/Channels/101',
  hls: 'https://example.com/live/stream.m3u8',
  rtmp: 'rtmp://example.com/live/stream',
};
const order: ('label' | 'input' | 'description' | 'error')[] = ['label', 'input', 'description', 'error'];
const maxPort = 65_535;
/** Maximum SRT latency, milliseconds: the handshake has 16 bits for the latency. */
const maxLatencyMs = 60_000;

interface SourceFieldsProps extends AddressProps {
  children: ReactNode;
}

export function SourceFields({ address, onChange, missing, children }: SourceFieldsProps) {
  const { t } = useTranslation('cameras');
  const [chosen, setChosen] = useState<FormKind>('rtsp');
  const kind = kindOfAddress(address) ?? chosen;
  const choose = (next: FormKind) => {
    setChosen(next);
    if (next !== kind) onChange('');
  };
  const change = (next: string) => {
    setChosen(kindOfAddress(next) ?? kind);
    onChange(next);
  };
  return (
    <>
      <Select
        label={t('kind.label')}
        data={formKinds.map((each) => ({ value: each, label: t(`kind.form.${each}`) }))}
        value={kind}
        onChange={(value) => choose((value ?? 'rtsp') as FormKind)}
        allowDeselect={false}
        maw="24rem"
      />
      {kind === 'rtsp' && children}
      {kind === 'srt' && <SrtFields address={address} onChange={change} missing={missing} />}
      {kind === 'udp' && <UdpFields address={address} onChange={change} missing={missing} />}
      {kind !== 'srt' && kind !== 'udp' && (
        <TextInput
          label={t('form.address')}
          description={t(`kind.hint.${kind}`)}
          placeholder={examples[kind]}
          inputWrapperOrder={order}
          value={address}
          maxLength={maxTargetUrlLength}
          onChange={(event) => change(event.currentTarget.value)}
          error={missing(address)}
          autoComplete="off"
          spellCheck={false}
        />
      )}
    </>
  );
}

function SrtFields({ address, onChange, missing }: AddressProps) {
  const { t } = useTranslation('cameras');
  const parts = readSrt(address);
  const set = (part: Partial<typeof parts>) => onChange(writeSrt({ ...parts, ...part }));
  // A complete address of another kind, such as a pasted one, changes the kind.
  const setServer = (server: string) => (kindOfAddress(server) ? onChange(server) : set({ server }));
  const plain = { autoComplete: 'off', spellCheck: false, inputWrapperOrder: order } as const;
  return (
    <>
      <TextInput
        {...plain}
        label={t('srt.server')}
        description={t('srt.serverHint')}
        placeholder="192.0.2.7:9000"
        value={parts.server}
        maxLength={maxTargetUrlLength}
        onChange={(event) => setServer(event.currentTarget.value)}
        error={missing(parts.server)}
      />
      <TextInput
        {...plain}
        label={t('srt.streamId')}
        placeholder="#!::r=live/stream,m=request"
        value={parts.streamId}
        onChange={(event) => set({ streamId: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <PasswordInput
          label={t('srt.passphrase')}
          description={t('srt.passphraseHint')}
          inputWrapperOrder={order}
          value={parts.passphrase}
          onChange={(event) => set({ passphrase: event.currentTarget.value })}
          autoComplete="new-password"
        />
        <NumberInput
          label={t('srt.latency')}
          description={t('srt.latencyHint')}
          inputWrapperOrder={order}
          placeholder="120"
          min={1}
          max={maxLatencyMs}
          value={parts.latency === '' ? '' : Number(parts.latency)}
          onChange={(value) => set({ latency: value === '' ? '' : String(value) })}
        />
      </div>
    </>
  );
}

function UdpFields({ address, onChange, missing }: AddressProps) {
  const { t } = useTranslation('cameras');
  const parts = readUdp(address);
  const set = (part: Partial<typeof parts>) => onChange(writeUdp({ ...parts, ...part }));
  const setHost = (host: string) => (kindOfAddress(host) ? onChange(host) : set({ host }));
  const plain = { autoComplete: 'off', spellCheck: false, inputWrapperOrder: order } as const;
  return (
    <>
      <Radio.Group
        label={t('udp.scheme')}
        value={parts.scheme}
        onChange={(scheme) => set({ scheme: scheme === 'rtp' ? 'rtp' : 'udp' })}
      >
        <div className={classes.radios}>
          <Radio value="udp" label="UDP" />
          <Radio value="rtp" label="RTP" />
        </div>
      </Radio.Group>
      <div className={classes.pair}>
        <TextInput
          {...plain}
          label={t('udp.host')}
          description={t('udp.hostHint')}
          placeholder="239.1.1.1"
          value={parts.host}
          onChange={(event) => setHost(event.currentTarget.value)}
        />
        <NumberInput
          label={t('udp.port')}
          placeholder="5000"
          min={1}
          max={maxPort}
          value={parts.port === '' ? '' : Number(parts.port)}
          onChange={(port) => set({ port: String(port) })}
          error={missing(parts.port)}
          allowDecimal={false}
          hideControls
        />
      </div>
      <TextInput
        {...plain}
        label={t('udp.sender')}
        description={t('udp.senderHint')}
        placeholder="192.168.1.20"
        value={parts.sender}
        onChange={(event) => set({ sender: event.currentTarget.value })}
      />
    </>
  );
}
