import { profiles } from '../../profiles/index.ts'
import type { JsonSchema } from '../http/schema.ts'
import { timelineJsonSchema } from '../rest/guide.ts'
import { meantBy } from './suggest.ts'

/** What is wrong with a document, as far as a slip can be found in it. */
interface Slip {
  readonly path: string
  readonly code?: string
  readonly message: string
}

/** The message of a finding, with the field or the status code that was probably meant. */
export function messageWithMeant({ path, code, message }: Slip): string {
  const [word = '', names] = slipIn(path, code, message)
  const meant = names === undefined ? undefined : meantBy(word, names)
  // A field that exists elsewhere is no slip.
  return meant === undefined || meant === word ? message : `${message} Did you mean ${meant}?`
}

/** The word that was refused, and what it may have been. */
function slipIn(
  path: string,
  code: string | undefined,
  message: string,
): readonly [word: string | undefined, names: readonly string[]] | readonly [] {
  if (code === 'unknown_field') return [/[\w-]+$/.exec(path)?.[0], [...namesIn(timelineJsonSchema())]]
  if (code === 'unknown_status_code') return [/[a-z][\w-]+/.exec(message)?.[0], codes()]
  return []
}

function codes(): readonly string[] {
  return profiles.flatMap(({ codes: of }) => Object.keys(of))
}

/** The names of all members in a schema. */
function namesIn(schema: JsonSchema): Set<string> {
  const found = new Set<string>()
  const look = (value: unknown) => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, part] of Object.entries(value)) {
      if (name === 'properties') for (const member of Object.keys(part as object)) found.add(member)
      look(part)
    }
  }
  look(schema)
  return found
}
