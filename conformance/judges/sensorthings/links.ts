import type { Judged } from '../judge.ts'
import { type Entity, entitiesIn, type Member, setOf } from './entities.ts'

/** What is wrong with the ids and links of a document (18-088, 8.1 and 9.2). */
export function linkFaults(thing: Entity, { target }: Judged): readonly (string | false)[] {
  const members = entitiesIn('Things', thing)
  const root = thing['@iot.selfLink'].slice(0, Math.max(0, thing['@iot.selfLink'].lastIndexOf('/Things(')))
  return [
    !root.startsWith(`${target.baseUrl}/`) && `The service is not on ${target.baseUrl}.`,
    !root.endsWith('/v1.1') && 'The root of the service does not end with its version.',
    ...members.flatMap((member) => faultsOf(member, root)),
    ...tellings(members),
  ]
}

function faultsOf({ set, entity }: Member, root: string): readonly (string | false)[] {
  const self = entity['@iot.selfLink']
  const links = Object.entries(entity).filter(([key]) => key.endsWith('@iot.navigationLink'))
  return [
    !addresses(self, root, set, entity['@iot.id']) &&
      `${self} does not address ${set} ${JSON.stringify(entity['@iot.id'])}.`,
    ...links.map(([key, link]) => {
      const relation = key.slice(0, key.indexOf('@'))
      const isKnown = Object.hasOwn(setOf, relation) && link === `${self}/${relation}`
      return !isKnown && `${key} of ${self} has an unknown target.`
    }),
  ]
}

function keyOf(id: unknown): string {
  return typeof id === 'string' ? `'${id.replaceAll("'", "''")}'` : String(id)
}

/** Whether a link, its last segment decoded, has the key of the entity: texts in quotes, with the quotes in it doubled. */
function addresses(link: string, root: string, set: string, id: unknown): boolean {
  if (!link.startsWith(`${root}/${set}(`)) return false
  try {
    return decodeURIComponent(link.slice(root.length + 1)) === `${set}(${keyOf(id)})` && !/[\s"<>\\^`{|}]/.test(link)
  } catch {
    return false
  }
}

/** One id is one entity: repeated occurrences are equal; a member of only one occurrence occurs once. */
function tellings(members: readonly Member[]): readonly (string | false)[] {
  const texts = new Map<string, string>()
  return members.map(({ set, entity }) => {
    const key = `${set} ${JSON.stringify(entity['@iot.id'])}`
    const text = JSON.stringify(entity)
    const known = texts.get(key)
    texts.set(key, text)
    if (known === undefined) return false
    if (known !== text) return `${key} has two different forms.`
    return once.has(set) && `${key} occurs twice.`
  })
}

const once = new Set(['Things', 'HistoricalLocations', 'Datastreams', 'Observations'])
