import * as v from 'valibot'
import type { Context } from '../../kernel/context.ts'
import { EngineError } from '../../kernel/errors.ts'
import { type Remark, remark, within } from '../../kernel/finding.ts'
import { isObject, type Members } from '../../kernel/members.ts'
import { operation } from '../../kernel/operation.ts'
import { capFindings, parse } from '../../kernel/parse.ts'
import type { ClauseFinding } from '../../kernel/projection.ts'
import { inSteps } from '../../kernel/steps.ts'
import { conformanceSchema, timelineAnswerSchema } from './answers.ts'
import { requestedFormat } from './formats.ts'
import { maxEvents } from './schema.ts'
import { type Conformance, sizeOf, validation } from './validate.ts'

const mebibyte = 1024 * 1024

const input = v.strictObject({
  document: v.pipe(v.unknown(), v.metadata({ $ref: '#/components/schemas/Timeline' })),
  format: v.exactOptional(
    v.pipe(v.string(), v.description('Token of the format of the document: otep (the default) or epcis.')),
  ),
  strict: v.exactOptional(v.pipe(v.boolean(), v.description("For epcis: refuse also what GS1's schemas accept."))),
})

/** The answer of a read; what its document has to be is checked by itself. */
const answer = v.object({ ...timelineAnswerSchema.entries, data: v.looseObject({}) })

/** Validates a document. */
export const otepValidate = operation({
  name: 'otep_validate',
  summary:
    'Conformance of a timeline, by itself or in the answer of a read: exact errors and warnings, and the level it reaches. With format=epcis, of an EPCIS document in JSON-LD or XML.',
  scopes: [],
  risk: 'low',
  tag: 'OTEP',
  mcp: { title: 'Validate a timeline', server: 'developer' },
  input,
  output: conformanceSchema,
  errors: ['too_many_events', 'event_too_large', 'unknown_format', 'format_not_read', 'malformed_xml'],
  limit: 'validate',
  rest: {
    method: 'POST',
    path: '/api/v1/otep/validate',
    document: 'document',
    bodyLimit: 16 * mebibyte,
    types: ['application/json', 'application/ld+json', 'application/xml', 'text/xml'],
  },
  handle: async (context, { document, ...input }) => {
    if (!isAnswer(document)) return conformanceIn(context, document, input)
    const { value, findings } = parse(answer, document)
    if (value === undefined) return { conformant: false, level: 0, errors: inWords(context, findings), warnings: [] }
    const found = await conformanceIn(context, document.data, { ...input, format: value.format })
    const inData = (remarks: typeof found.errors) => remarks.map((one) => within('data', one))
    return { ...found, errors: inData(found.errors), warnings: inData(found.warnings) }
  },
})

/** Whether a document is, or should be, in the answer of a read: no timeline has these members. */
function isAnswer(document: unknown): document is Members {
  return isObject(document) && ['result', 'data'].some((member) => Object.hasOwn(document, member))
}

type Asked = Omit<v.InferOutput<typeof input>, 'document'>

async function conformanceIn(context: Context, document: unknown, { format, strict }: Asked) {
  const { projection, target } = requestedFormat(context, format)
  if (projection === context.formats[0]) return conformanceOf(context, document)
  const { name, check } = projection
  if (check === undefined) throw new EngineError('format_not_read', { received: name, expected: checked(context) })
  const checking = check(document, strict === undefined ? target : { ...target, strict })
  const { errors, warnings } = await inSteps(checking, context.pause)
  const conformant = errors.length === 0
  return {
    conformant,
    level: conformant ? 1 : 0,
    errors: inWords(context, capFindings(errors)),
    warnings: inWords(context, capFindings(warnings)),
  }
}

/** The names of the formats whose documents can be validated. */
function checked({ formats }: Context): string {
  return formats.flatMap(({ name, check }, index) => (index === 0 || check !== undefined ? [name] : [])).join(', ')
}

async function conformanceOf(context: Context, document: unknown) {
  if (sizeOf(document) > maxEvents) throw new EngineError('too_many_events', { limit: maxEvents })
  const { errors, warnings, ...conformance } = await inSteps(validation(document, context), context.pause)
  return { ...conformance, errors: inWords(context, errors), warnings: inWords(context, warnings) }
}

/** The findings as remarks, each with the requirement or the clause that it violates. */
function inWords(
  { messages }: Context,
  findings: Conformance['errors'] | readonly ClauseFinding[],
): (Remark & { readonly requirement?: string })[] {
  return findings.map((finding) => {
    const requirement = 'clause' in finding ? finding.clause : (finding as Conformance['errors'][number]).requirement
    return { ...remark(finding, messages), ...(requirement !== undefined && { requirement }) }
  })
}
