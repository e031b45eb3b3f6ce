import { isEngineError } from '../../engine/index.ts'
import { judgeEpcis } from '../../projections/epcis/parse/index.ts'
import { jsonSchemaJudge } from '../judges/epcis/json-schema.ts'
import { shaclJudge } from '../judges/epcis/shacl.ts'
import { xsd } from '../judges/epcis/xsd.ts'
import { madeOf, together } from '../judges/official.ts'
import { differences } from './differences.ts'

/** The verdicts on one document: what the official judges say, and what the reader says. */
interface Verdicts {
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
export const verdictsOnJson = madeOf(
  together({ schema: jsonSchemaJudge.open, shapes: shaclJudge.open }),
  ({ schema, shapes }) =>
    async (document: unknown): Promise<Verdicts> => {
      const text = JSON.stringify(document)
      const bySchema = await schema({ text })
      const judges = bySchema.length > 0 ? bySchema : await shapes({ text })
      return { judges, reader: refusedBy(JSON.parse(text)) }
    },
)

/** The verdicts on an XML document, by GS1's XML Schema of a version. */
export const verdictsOnXml = { '1': byXsd('1'), '2': byXsd('2') }

function byXsd(version: keyof typeof xsd) {
  return madeOf(
    xsd[version],
    (faultsIn) =>
      (text: string): Verdicts => ({
        judges: faultsIn({ text }),
        reader: refusedBy(text),
      }),
  )
}

/** Why the verdicts may differ; undefined if they agree, and the text of the difference if nothing allows it. */
export function differenceIn({ judges, reader }: Verdicts, binding: 'json' | 'xml'): string | undefined {
  if ((judges.length === 0) === (reader.length === 0)) return undefined
  const [side, found] = judges.length === 0 ? (['reader', reader] as const) : (['judges', judges] as const)
  const known = differences.filter((one) => one.binding === binding && one.side === side)
  const isKnown = found.every((said) => known.some((one) => one.found.test(said)))
  return isKnown ? undefined : `only the ${side} refuse${side === 'reader' ? 's' : ''}: ${found.slice(0, 3).join('; ')}`
}
