import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxDomainLength, maxEmailLength, maxPemLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { wirePhrase } from '../../models/wire-phrase.ts';
import { paths } from '../../paths.ts';
import { certificateOrderSteps } from '../../values/certificates.ts';

/** Empty: none; `ssl`: uploaded or self-signed; `lets`: issued by an ACME authority and renewed automatically. */
const certificateProviders = ['', 'ssl', 'lets'] as const;

/** Fields of the certificate in use. */
const certificateFacts = z.object({
  /** Common name of the subject, or the first of `names`. */
  subject: z.string(),
  issuer: z.string(),
  /** Host names and addresses for which the certificate is valid. */
  names: z.array(z.string()),
  /** RFC 3339. */
  notBefore: z.string(),
  notAfter: z.string(),
  /** Whole days until the certificate expires; negative afterwards. */
  daysLeft: z.number().int(),
  selfSigned: z.boolean(),
  /** SHA-256 in hexadecimal, separated by colons. */
  fingerprint: z.string(),
});
export type CertificateFacts = z.infer<typeof certificateFacts>;

const certificateOrder = z.object({
  domain: z.string(),
  step: z.enum(certificateOrderSteps),
  /** RFC 3339. */
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** Whether the order is an automatic renewal. */
  isRenewal: z.boolean(),
  /** Failure of the order, as in the failure envelope. */
  error: z.object({ name: z.string(), message: z.string(), reason: wirePhrase.optional() }).optional(),
});
export type CertificateOrder = z.infer<typeof certificateOrder>;

const certificateState = z.object({
  provider: z.enum(certificateProviders),
  /** Domain of the ACME certificate, '' for other providers. */
  domain: z.string(),
  /** Null while there is no readable certificate. */
  certificate: certificateFacts.nullable(),
  /** The running order or the last one since the server started; null before the first. */
  order: certificateOrder.nullable(),
  /** Contact address registered with the ACME authority. */
  email: z.string(),
  /** When the server next checks whether to renew, RFC 3339; '' when it does not renew. */
  nextRenewalCheck: z.string(),
});
export type CertificateState = z.infer<typeof certificateState>;

/**
 * Fingerprint of the certificate that the operator saw, '' for none. Refused with `settingsChanged` when another one is in
 * use. Absent: not compared.
 */
const replacedFingerprint = z.string().max(128).optional();

export const queryCertificate = defineEndpoint({
  ...paths.queryCertificate,
  tag: 'HTTPS',
  summary: 'Returns the stored certificate and private key, and the fields of the certificate.',
  request: emptyRequest,
  response: certificateState.extend({ key: z.string(), crt: z.string() }),
});

/** Like `queryCertificate`, but without certificate and private key, for pages that poll. */
export const queryCertificateStatus = defineEndpoint({
  ...paths.queryCertificateStatus,
  tag: 'HTTPS',
  summary: 'Returns the provider, the days left and the state of a running order, without the private key.',
  request: emptyRequest,
  response: certificateState,
});

export const updateCertificate = defineEndpoint({
  ...paths.updateCertificate,
  tag: 'HTTPS',
  summary: 'Replaces certificate and key after checking format, match, dates and chain; existing connections stay.',
  request: z.object({
    token: z.string().optional(),
    key: z.string().max(maxPemLength).default(''),
    crt: z.string().max(maxPemLength).default(''),
    replaces: replacedFingerprint,
  }),
  response: nullData,
});

export const requestLetsEncrypt = defineEndpoint({
  ...paths.requestLetsEncrypt,
  tag: 'HTTPS',
  summary: 'Obtains a certificate by ACME HTTP-01 and renews it from 30 days before it expires.',
  request: z.object({
    token: z.string().optional(),
    domain: z.string().max(maxDomainLength).default(''),
    /** Address for warnings of the authority. Absent: the stored one. */
    email: z.string().max(maxEmailLength).optional(),
    /** `false` returns as soon as the order has started; `mgmt/cert/status` then reports its progress. */
    wait: z.boolean().default(true),
    replaces: replacedFingerprint,
  }),
  response: nullData,
});

export const createSelfSignedCertificate = defineEndpoint({
  ...paths.createSelfSignedCertificate,
  tag: 'HTTPS',
  summary: 'Creates a self-signed certificate if there is none; with `replace` also if there is one.',
  request: z.object({
    token: z.string().optional(),
    /** Replaces the certificate in use, of any kind. */
    replace: z.boolean().default(false),
    /** Host name or address to include beside the default name. */
    domain: z.string().max(maxDomainLength).default(''),
    replaces: replacedFingerprint,
  }),
  response: nullData,
});
