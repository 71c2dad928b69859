import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { maxDomainLength, maxEmailLength, maxPemLength } from '../../limits.ts';
import { emptyRequest, nullData } from '../../models/envelope.ts';
import { wirePhrase } from '../../models/wire-phrase.ts';
import { paths } from '../../paths.ts';
import { certificateOrderSteps } from '../../values/certificates.ts';

/** Empty: none; `ssl`: uploaded or self-signed; `lets`: issued by an ACME authority and renewed by itself. */
const certificateProviders = ['', 'ssl', 'lets'] as const;

/** What the certificate in use says about itself. */
const certificateFacts = z.object({
  /** Common name of the owner, or its first name. */
  subject: z.string(),
  issuer: z.string(),
  /** Host names and addresses it is valid for. */
  names: z.array(z.string()),
  /** RFC 3339. */
  notBefore: z.string(),
  notAfter: z.string(),
  /** Whole days; negative when it has expired. */
  daysLeft: z.number().int(),
  selfSigned: z.boolean(),
  /** SHA-256, colon separated hex. */
  fingerprint: z.string(),
});
export type CertificateFacts = z.infer<typeof certificateFacts>;

const certificateOrder = z.object({
  domain: z.string(),
  step: z.enum(certificateOrderSteps),
  /** RFC 3339. */
  startedAt: z.string(),
  endedAt: z.string().optional(),
  /** True when the server renewed by itself. */
  isRenewal: z.boolean(),
  /** As in the failure envelope, when it failed. */
  error: z.object({ name: z.string(), message: z.string(), reason: wirePhrase.optional() }).optional(),
});
export type CertificateOrder = z.infer<typeof certificateOrder>;

const certificateState = z.object({
  provider: z.enum(certificateProviders),
  /** Domain of the ACME certificate, '' for others. */
  domain: z.string(),
  /** Null while there is no readable certificate. */
  certificate: certificateFacts.nullable(),
  /** The last or running order since the server started; null before the first. */
  order: certificateOrder.nullable(),
  /** Contact address given to the ACME authority. */
  email: z.string(),
  /** When the server will look at the renewal next, RFC 3339; '' when it does not renew. */
  nextRenewalCheck: z.string(),
});
export type CertificateState = z.infer<typeof certificateState>;

/**
 * Ours: fingerprint of the certificate the operator saw, '' for none; refused with `settingsChanged` when another one is
 * in use now. Left out: not compared.
 */
const replacedFingerprint = z.string().max(128).optional();

export const queryCertificate = defineEndpoint({
  ...paths.queryCertificate,
  tag: 'HTTPS',
  summary: 'Certificate and private key as they were stored, and facts about the certificate.',
  request: emptyRequest,
  response: certificateState.extend({ key: z.string(), crt: z.string() }),
});

/** Ours: the same without certificate and key, for pages that ask often. */
export const queryCertificateStatus = defineEndpoint({
  ...paths.queryCertificateStatus,
  tag: 'HTTPS',
  summary: 'Provider, days left and the state of a running order, without the private key.',
  request: emptyRequest,
  response: certificateState,
});

export const updateCertificate = defineEndpoint({
  ...paths.updateCertificate,
  tag: 'HTTPS',
  summary: 'Replaces certificate and key after checking form, match, dates and chain; connections stay.',
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
  summary: 'Obtains a certificate by ACME HTTP-01 and renews it from 30 days before its end.',
  request: z.object({
    token: z.string().optional(),
    domain: z.string().max(maxDomainLength).default(''),
    /** Ours: where the authority sends warnings; left out: the one given before. */
    email: z.string().max(maxEmailLength).optional(),
    /** Ours: false answers once the order has begun; `mgmt/cert/status` then tells how it goes. */
    wait: z.boolean().default(true),
    replaces: replacedFingerprint,
  }),
  response: nullData,
});

export const createSelfSignedCertificate = defineEndpoint({
  ...paths.createSelfSignedCertificate,
  tag: 'HTTPS',
  summary: 'Makes a self-signed certificate when there is none; with `replace` also when there is one.',
  request: z.object({
    token: z.string().optional(),
    /** Ours: replaces whatever is in use. */
    replace: z.boolean().default(false),
    /** Ours: host name or address to put in beside the default name. */
    domain: z.string().max(maxDomainLength).default(''),
    replaces: replacedFingerprint,
  }),
  response: nullData,
});
