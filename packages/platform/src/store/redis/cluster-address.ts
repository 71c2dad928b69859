// Parses `CLUSTER_URL`, the address of the shared Redis or Valkey: one host, several hosts of a Redis Cluster, or Sentinels with the name
// of their primary. Pure, so that an invalid address is refused before anything is opened.
import { StartRefusal } from '@srs-stack/process/start-refusal.ts';

export interface ClusterAddress {
  readonly hosts: readonly { readonly host: string; readonly port: number }[];
  readonly tls: boolean;
  readonly username: string;
  readonly password: string;
  readonly database: number;
  /** If set, the hosts are Sentinels that monitor the primary `name`. */
  readonly sentinel: { readonly name: string; readonly password: string } | undefined;
  /** The address as configured, including the password. */
  readonly url: string;
  /** Without the password, for display. */
  readonly shown: string;
}

/** `scheme://[user:password@]host[:port][,host[:port]…][/database][?parameters]`. Several hosts are not a valid WHATWG URL. */
const form = /^(rediss?):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/(\d{0,5}))?(?:\?([^#]*))?$/;
const hostForm = /^(\[[\da-fA-F:.]+\]|[\w.-]+)(?::(\d{1,5}))?$/;
const defaultPort = 6379;
const defaultSentinelPort = 26_379;
const highestPort = 65_535;
const knownParameters = ['sentinel', 'sentinelPassword'];

/** Throws StartRefusal for an invalid address. The message never contains the password. */
export function parseClusterAddress(text: string): ClusterAddress {
  const match = form.exec(text);
  if (!match) throw refusal('the address must have the form redis://host:port or rediss://host:port');
  const [, scheme = '', userInfo = '', hosts = '', database = '', query = ''] = match;
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => !knownParameters.includes(name));
  if (unknown !== undefined) throw refusal(`the parameter ${unknown} is not known`);
  const name = parameters.get('sentinel') ?? '';
  if (parameters.has('sentinel') && name === '') throw refusal('the parameter sentinel has no value');
  const port = name === '' ? defaultPort : defaultSentinelPort;
  const list = hosts.split(',').map((each) => parseHost(each, port));
  if (list.length > 1 && name === '' && Number(database) > 0) throw refusal('a Redis Cluster supports only database 0');
  const [username = '', password = ''] = splitUserInfo(userInfo);
  return {
    url: text,
    hosts: list,
    tls: scheme === 'rediss',
    username,
    password,
    database: Number(database),
    sentinel: name === '' ? undefined : { name, password: parameters.get('sentinelPassword') ?? '' },
    shown: `${scheme}://${hosts}${database ? `/${database}` : ''}${name ? `?sentinel=${name}` : ''}`,
  };
}

function parseHost(text: string, fallbackPort: number): { host: string; port: number } {
  const [, host = '', port = ''] = hostForm.exec(text) ?? [];
  const number = port === '' ? fallbackPort : Number(port);
  if (host === '' || number < 1 || number > highestPort) throw refusal(`"${text}" does not have the form host:port`);
  return { host: host.replace(/^\[|\]$/g, ''), port: number };
}

/** The parts are percent-encoded, because a password may contain `@`, `:` and `/`. */
function splitUserInfo(text: string): string[] {
  const colon = text.indexOf(':');
  try {
    // Like ioredis, takes a text without a colon as the user name.
    if (colon < 0) return [decodeURIComponent(text)];
    return [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))];
  } catch {
    throw refusal('user name or password is not percent-encoded');
  }
}

function refusal(why: string): StartRefusal {
  return new StartRefusal(`CLUSTER_URL cannot be used: ${why}`);
}
