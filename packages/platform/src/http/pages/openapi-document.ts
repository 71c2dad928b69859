// Generates the OpenAPI document from the contract, and adds the paths outside the contract. Loaded at the first request.
import swagger from '@fastify/swagger';
import {
  type Endpoint,
  type EndpointName,
  type ErrorName,
  endpoints,
  errorCatalogue,
  wirePhrase,
} from '@srs-stack/contract';
import { fastify } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { otherPaths, otherSchemas, otherSecuritySchemes } from './openapi-other-paths.ts';

const accessText: Record<Endpoint['access'], string> = {
  none: 'Needs no credential.',
  password: 'The body contains the admin password.',
  credential:
    'Needs the API secret or a session bearer in `Authorization`, or a session token in the body field `token`.',
  'media-server': 'Only for the media server, which sends the callback secret.',
};

/** Credentials by access level. An empty list means that no credential is needed. */
const securityOf: Record<Endpoint['access'], Record<string, string[]>[]> = {
  none: [],
  password: [],
  credential: [{ bearer: [] }],
  'media-server': [{ callbackSecret: [] }],
};

const failureSchema = z.object({
  code: z.number().int(),
  server: z.number().int(),
  data: z.object({
    message: z.string(),
    name: z.enum(Object.keys(errorCatalogue) as [ErrorName, ...ErrorName[]]),
    requestId: z.string().optional(),
    retryAfterSeconds: z.number().int().optional(),
    reason: wirePhrase.optional(),
  }),
});

/** Returns the JSON text of the document. */
export async function openApiDocument(version: string): Promise<string> {
  const app = fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'SRS Stack HTTP API',
        version,
        description: 'Every call accepts any method and a JSON body.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      servers: [{ url: '/' }],
      components: {
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'The API secret, or `bearer` from a login.' },
          ...otherSecuritySchemes,
        },
      },
    },
    transform: jsonSchemaTransform,
  });
  for (const name of Object.keys(endpoints) as EndpointName[]) {
    const endpoint: Endpoint = endpoints[name];
    app.post(endpoint.path, { schema: { ...operationOf(name, endpoint) } }, async () => null);
  }
  await app.ready();
  const generated = app.swagger() as { components: Record<string, object>; paths: object };
  await app.close();
  const { components, paths } = generated;
  return JSON.stringify({
    ...generated,
    components: { ...components, schemas: { ...components.schemas, ...otherSchemas } },
    paths: { ...paths, ...otherPaths },
  });
}

function operationOf(name: EndpointName, endpoint: Endpoint) {
  const aliases = endpoint.aliases.length > 0 ? ` Also at ${endpoint.aliases.join(', ')}.` : '';
  return {
    operationId: name,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: `${accessText[endpoint.access]}${aliases}`,
    body: endpoint.request,
    response: {
      200: z.object({ code: z.literal(0), server: z.number().int(), data: endpoint.response }),
      default: failureSchema,
    },
    security: securityOf[endpoint.access],
  };
}
