import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxDomainLength, maxEmailLength, maxPemLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { wirePhrase } from '../../models/wire-phrase.ts';
import { paths } from '../../paths.ts';
import { certificateOrderSteps } from '../../values/certificates.ts';

/** '': none. `ssl`: uploaded or self-signed. `lets`: issued by an ACME authority and renewed automatically. */
const certificateProviders = ['', 'ssl', 'lets'] as const;

const certificateFacts = z.object({
  /** Common name of the subject, or the first entry of `names`. */
  subject: z.string(),
  issuer: z.string(),
  /** Host names and addresses that the certificate covers. */
  names: z.array(z.string()),
  /** RFC 3339. */
  notBefore: z.string(),
  notAfter: z.string(),
  /** Whole days until expiry; negative after expiry. */
  daysLeft: z.number().int(),
  selfSigned: z.boolean(),
  /** SHA-256 fingerprint, hexadecimal with colons. */
  fingerprint: z.string(),
});
export type CertificateFacts = z.infer<typeof certificateFacts>;

const certificateOrder = z.object({
  domain: z.string(),
  step: z.enum(certificateOrderSteps),
  /** RFC 3339. */
  startedAt: z.string(),
  endedAt: z.string().optional(),
  isRenewal: z.boolean(),
  /** Error, as in the failure envelope. */
  error: z.object({ name: z.string(), message: z.string(), reason: wirePhrase.optional() }).optional(),
});
export type CertificateOrder = z.infer<typeof certificateOrder>;

const certificateState = z.object({
  provider: z.enum(certificateProviders),
  /** Domain of an ACME certificate; '' for other providers. */
  domain: z.string(),
  /** Null without a readable certificate. */
  certificate: certificateFacts.nullable(),
  /** Current or last order since the server started; null without an order. */
  order: certificateOrder.nullable(),
  email: z.string(),
  /** Time of the next renewal check, RFC 3339; '' without automatic renewal. */
  nextRenewalCheck: z.string(),
});
export type CertificateState = z.infer<typeof certificateState>;

/**
 * Fingerprint of the certificate that the operator wants to replace; '' for none. If the current fingerprint differs, the call fails with
 * `settingsChanged`. If absent, nothing is compared.
 */
const replacedFingerprint = z.string().max(128).optional();

export const queryCertificate = defineEndpoint({
  ...paths.queryCertificate,
  tag: 'HTTPS',
  summary: 'Returns the stored certificate and private key, and the fields of the certificate.',
  request: emptyRequest,
  response: certificateState.extend({ key: z.string(), crt: z.string() }),
});

/** Like `queryCertificate`, but without certificate and private key. For pages that poll. */
export const queryCertificateStatus = defineEndpoint({
  ...paths.queryCertificateStatus,
  tag: 'HTTPS',
  summary:
    'Returns the provider and the days left of the certificate, and the state of a running certificate order, without the private key.',
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
    /** Address for warnings of the ACME authority. If absent, the stored address is kept. */
    email: z.string().max(maxEmailLength).optional(),
    /** If false, the call returns when the order has started. `mgmt/cert/status` reports the progress. */
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
    /** Replaces an existing certificate of any provider. */
    replace: z.boolean().default(false),
    domain: z.string().max(maxDomainLength).default(''),
    replaces: replacedFingerprint,
  }),
  response: nullData,
});
