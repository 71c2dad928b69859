// SOAP 1.2 requests and responses of ONVIF. Credentials are sent as a UsernameToken (WS-Security UsernameToken Profile 1.0 §3.1).
import { createHash } from 'node:crypto';
import type { Credentials } from '@srs-stack/media/protocols/rtsp/credentials.ts';
import { childAt, escapeXml, parseXml, textAt, type XmlElement } from './soap-xml.ts';

const envelopeNamespace = 'http://www.w3.org/2003/05/soap-envelope';
const securityNamespace = 'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss';
const digestType = `${securityNamespace}-username-token-profile-1.0#PasswordDigest`;
const base64Type = `${securityNamespace}-soap-message-security-1.0#Base64Binary`;

export interface TokenMaterial {
  readonly credentials: Credentials;
  readonly nonce: Buffer;
  /** Time of the token on the camera's clock. Cameras refuse old tokens. */
  readonly at: Date;
}

/** A SOAP request. @param body XML that declares its namespaces. */
export function writeSoap(body: string, token: TokenMaterial | undefined): string {
  const header = token ? `<s:Header>${writeToken(token)}</s:Header>` : '';
  return `<?xml version="1.0" encoding="UTF-8"?><s:Envelope xmlns:s="${envelopeNamespace}">${header}<s:Body>${body}</s:Body></s:Envelope>`;
}

function writeToken({ credentials: { user, password }, nonce, at }: TokenMaterial): string {
  const created = at.toISOString();
  const digest = createHash('sha1').update(nonce).update(created).update(password).digest('base64');
  return [
    `<o:Security s:mustUnderstand="1" xmlns:o="${securityNamespace}-wssecurity-secext-1.0.xsd">`,
    `<o:UsernameToken><o:Username>${escapeXml(user)}</o:Username>`,
    `<o:Password Type="${digestType}">${digest}</o:Password>`,
    `<o:Nonce EncodingType="${base64Type}">${nonce.toString('base64')}</o:Nonce>`,
    `<u:Created xmlns:u="${securityNamespace}-wssecurity-utility-1.0.xsd">${created}</u:Created>`,
    '</o:UsernameToken></o:Security>',
  ].join('');
}

export type SoapResponse =
  | { readonly kind: 'body'; readonly body: XmlElement }
  | { readonly kind: 'fault'; readonly isUnauthorized: boolean; readonly reason: string }
  | { readonly kind: 'invalid' };

/** Maximum length of a displayed fault reason, characters. */
const maxReasonLength = 200;

export function parseSoap(text: string): SoapResponse {
  const envelope = parseXml(text);
  const body = envelope?.name === 'Envelope' ? childAt(envelope, 'Body') : undefined;
  if (!body) return { kind: 'invalid' };
  const fault = childAt(body, 'Fault');
  if (!fault) return { kind: 'body', body };
  const reason = textAt(fault, 'Reason', 'Text') || textAt(fault, 'faultstring');
  const codes = [textAt(fault, 'Code', 'Subcode', 'Value'), textAt(fault, 'faultcode'), reason].join(' ');
  // `ter:NotAuthorized` (ONVIF Core §5.11.2), `wsse:FailedAuthentication`, and variants that cameras use.
  const isUnauthorized = /not\s?authorized|failedauthentication|unauthorized/i.test(codes);
  return { kind: 'fault', isUnauthorized, reason: reason.slice(0, maxReasonLength) };
}
