import { isEngineError } from '../../engine/index.ts'
import { judgeEpcis } from '../../projections/epcis/parse/index.ts'
import { jsonSchemaJudge } from '../judges/epcis/json-schema.ts'
import { shaclJudge } from '../judges/epcis/shacl.ts'
import { faultsByXsd } from '../judges/epcis/xsd.ts'
import { differences } from './differences.ts'

/** The verdicts on one document: what the official judges say, and what the reader says. */
export interface Verdicts {
  readonly judges: readonly string[]
  readonly reader: readonly string[]
}

/** What the reader refuses, by code and path. */
function refusedBy(document: unknown): readonly string[] {
  try {
    return judgeEpcis(document).refusing.map(({ code, path }) => `${code} ${path}`)
  } catch (error) {
    if (isEngineError(error)) return [`${error.code} `]
    throw error
  }
}

/** The verdicts on a JSON document, by GS1's JSON Schema and SHACL shapes. */
export async function verdictsOnJson(document: unknown): Promise<Verdicts> {
  const text = JSON.stringify(document)
  const judged = { text, mediaType: 'application/ld+json', target: { baseUrl: 'https://a.example', options: {} } }
  const shown = judged as unknown as Parameters<typeof shaclJudge.judge>[0]
  const bySchema = await jsonSchemaJudge.judge(shown)
  const judges = bySchema.length > 0 ? bySchema : await shaclJudge.judge(shown)
  return { judges, reader: refusedBy(JSON.parse(text)) }
}

/** The verdicts on an XML document, by GS1's XML Schema of this version. */
export function verdictsOnXml(text: string, version: '1' | '2'): Verdicts {
  return { judges: faultsByXsd(text, version), reader: refusedBy(text) }
}

/** Why the verdicts may differ; undefined if they agree, and the text of the difference if nothing allows it. */
export function differenceIn({ judges, reader }: Verdicts, binding: 'json' | 'xml'): string | undefined {
  if ((judges.length === 0) === (reader.length === 0)) return undefined
  const [side, found] = judges.length === 0 ? (['reader', reader] as const) : (['judges', judges] as const)
  const known = differences.filter((one) => one.binding === binding && one.side === side)
  const isKnown = found.every((said) => known.some((one) => one.found.test(said)))
  return isKnown ? undefined : `only the ${side} refuse${side === 'reader' ? 's' : ''}: ${found.slice(0, 3).join('; ')}`
}
