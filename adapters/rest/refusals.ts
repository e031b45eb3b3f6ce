import { type Code, en, kindsOf, messageOf, moduleRefusals, type Operation } from '../../engine/index.ts'
import type { JsonSchema } from '../http/schema.ts'
import type { Components } from './components.ts'
import { type Routed, takesIdempotencyKey } from './routed.ts'
import { statusOf } from './status.ts'

/** The status of a finding about a value, and of a few refusals. */
const unprocessable = 422

/** Adds the schemas of a refusal: `ErrorAnswer`, its findings and its codes. */
export function addRefusals(operations: readonly Operation[], components: Components): void {
  const named = new Set<Code>(['invalid_input', ...operations.flatMap(({ errors }) => errors)])
  const all = Object.keys(en) as Code[]
  const description =
    'What was refused. Codes never change; a later version may have more of them, which a client treats as others of the same HTTP status.'
  const code = components.add('ErrorCode', {
    type: 'string',
    description,
    enum: all.filter((one) => named.has(one) || statusOf(one) !== unprocessable),
  })
  const finding = components.add('ErrorFinding', {
    type: 'object',
    description: 'What is wrong with one value.',
    required: ['path', 'code', 'message'],
    properties: {
      path: { type: 'string', description: 'Where it is: `items[0].quantity`.' },
      code: { type: 'string', description: 'What is wrong with it.' },
      message: { type: 'string', description: 'The same for people, in the language of Accept-Language.' },
    },
  })
  components.add('ErrorAnswer', {
    type: 'object',
    description: 'The answer of every refusal.',
    required: ['result', 'code', 'message'],
    properties: {
      result: { type: 'boolean', const: false, description: 'It was not done.' },
      feature_enabled: {
        ...{ type: 'boolean', const: false },
        description: 'With feature_disabled: the opt-in family is switched off.',
      },
      code,
      message: {
        type: 'string',
        description: 'For people, in the language of Accept-Language: en, fr, de, es, zh-Hans, zh-Hant or ja.',
      },
      ticket: {
        type: 'string',
        description:
          'With second_factor_required and second_factor_setup_required: for the second step of the sign-in.',
      },
      methods: {
        type: 'array',
        items: { type: 'string', enum: ['authenticator', 'passkey', 'recovery_code'] },
        description: 'With second_factor_required: what the account has.',
      },
      errors: { type: 'array', items: finding, description: 'With invalid_input: every value that was refused.' },
    },
  })
}

/** A refusal in the description. */
export function failure(description: string): JsonSchema {
  return { description, content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorAnswer' } } } }
}

/** A code, and what it says. */
export function meaning(code: Code): string {
  return `- \`${code}\`: ${messageOf(code, {}, en)}`
}

/** The refusals of an operation by status, each with its codes and what they mean. */
export function refusalsOf(operation: Routed, hasBody: boolean): Readonly<Record<string, JsonSchema>> {
  const codes = codesOf(operation, hasBody)
  const statuses = [...new Set(codes.map(statusOf))].sort()
  const ofStatus = (status: number) => codes.filter((code) => statusOf(code) === status).map(meaning)
  return Object.fromEntries(statuses.map((status) => [status, failure(ofStatus(status).join('\n'))]))
}

/** The codes of an operation, of the gateway and of its body. An operation without input refuses a query. */
function codesOf(operation: Routed, hasBody: boolean): readonly Code[] {
  const { errors, scopes, roles, module, hasViews } = operation
  const gateway: readonly Code[] = [
    ...(scopes.length > 0
      ? (['unauthenticated', 'key_expired', 'api_key_expired', 'forbidden', 'outside_key'] as const)
      : []),
    ...(isForEmployees(operation) ? (['outside_role'] as const) : []),
    ...(hasViews ? (['unauthenticated', 'key_expired', 'api_key_expired', 'outside_key'] as const) : []),
    ...(roles === undefined ? [] : (['wrong_account'] as const)),
    ...(module === undefined ? [] : moduleRefusals(module)),
    'invalid_input',
    'too_many_requests',
    ...(takesIdempotencyKey(operation) ? (['header_not_accepted', 'idempotency_key_reused'] as const) : []),
    ...(hasBody ? ofBodies : []),
  ]
  return [...new Set([...errors, ...gateway])]
}

/** Whether a staff role can take it away. */
function isForEmployees(operation: Routed): boolean {
  const isOwn = operation.scopes.every((scope) => scope === 'account:self') && !operation.hasViews
  return !isOwn && kindsOf(operation).includes('client_employee')
}

const ofBodies: readonly Code[] = [
  ...(['malformed_json', 'invalid_utf8', 'broken_encoding', 'payload_too_large', 'too_large_to_store'] as const),
  ...(['too_many_members', 'too_many_values'] as const),
  ...(['unsupported_media_type', 'unsupported_encoding'] as const),
]
