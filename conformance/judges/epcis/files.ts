import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NodeObject } from 'jsonld'
import { official } from '../official.ts'

/** GS1's JSON Schema of EPCIS 2.0 (draft 7). */
export const jsonSchema = official(
  ['epcis/schema/EPCIS-JSON-Schema.json'],
  ([file]) => JSON.parse(readFileSync(file, 'utf8')) as object,
)

/** GS1's JSON-LD context of EPCIS documents, as the shapes were written for it. */
export const officialContext = official(
  ['epcis/context/epcis-context.jsonld'],
  ([file]) => JSON.parse(readFileSync(file, 'utf8')) as NodeObject,
)

/** A document of GS1: in JSON, or in XML if the name says so. */
export interface Example {
  /** Its path in the folder of the examples. */
  readonly name: string
  readonly text: string
}

/** GS1's own examples of EPCIS documents. */
export const examples = official(['epcis/examples'], ([folder]): readonly Example[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(json|jsonld|xml)$/.test(name))
    .sort()
    .map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })),
)
