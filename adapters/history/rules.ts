import {
  categoryOf,
  domains,
  isObject,
  ownEvents,
  type RecordedEvent,
  type Upcasts,
  versionOf,
} from '../../engine/index.ts'

/** The event types of each stream category; none for categories that are not of this engine. */
export const typesOf: ReadonlyMap<string, readonly string[]> = new Map(
  [ownEvents, ...domains.map(({ events }) => events)].flatMap(Object.entries<readonly string[]>),
)

const upcasts: Upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))

/** Schema version from which events may have a member `personal`. */
const personalSince = 2

/** Why this engine could not read an event; `undefined` if it could. */
export function problemOf({ stream, type, data, metadata }: RecordedEvent): string | undefined {
  const category = categoryOf(stream)
  const types = typesOf.get(category)
  if (types === undefined) return `there are no streams ${category}- in this engine`
  // Such a name would change when it is stored.
  if (!stream.isWellFormed() || stream.includes('\0')) return 'the stream has no name that can be kept'
  if (!types.includes(type)) return `streams ${category}- hold no events of type ${type}`
  const [version, latest] = [metadata.schemaVersion, versionOf(type, upcasts)]
  if (!Number.isInteger(version) || version < 1 || version > latest)
    return `the version of a ${type} is a whole number from 1 to ${latest}, not ${version}`
  if (!isObject(data)) return 'data is no object'
  if (data.personal === undefined) return undefined
  if (upcasts[type] !== undefined && version < personalSince)
    return `a ${type} of version ${version} has no member personal`
  return isObject(data.personal) ? undefined : 'personal is no object'
}
