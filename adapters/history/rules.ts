import {
  categoryOf,
  domains,
  type EventShapes,
  isObject,
  misshapen,
  ownEvents,
  type RecordedEvent,
  type Upcasts,
  upcasted,
  versionOf,
} from '../../engine/index.ts'

/** The shapes of the events of each stream category, by type; none for categories that are not of this engine. */
const shapesOf: ReadonlyMap<string, EventShapes> = new Map(
  [ownEvents, ...domains.map(({ events }) => events)].flatMap(Object.entries<EventShapes>),
)

const upcasts: Upcasts = Object.assign({}, ...domains.map((domain) => domain.upcasts))

/** Schema version from which events may have a member `personal`. */
const personalSince = 2

/** Why this engine could not read an event; `undefined` if it could. */
export function problemOf(event: RecordedEvent): string | undefined {
  const { stream, type, data, metadata } = event
  const category = categoryOf(stream)
  if (!shapesOf.has(category)) return `there are no streams ${category}- in this engine`
  // Such a name would change when it is stored.
  if (!stream.isWellFormed() || stream.includes('\0')) return 'the stream has no name that can be kept'
  if (!isKnown(event)) return `streams ${category}- hold no events of type ${type}`
  const [version, latest] = [metadata.schemaVersion, versionOf(type, upcasts)]
  if (!Number.isInteger(version) || version < 1 || version > latest)
    return `the version of a ${type} is a whole number from 1 to ${latest}, not ${version}`
  if (!isObject(data)) return 'data is no object'
  if (data.personal !== undefined) {
    if (upcasts[type] !== undefined && version < personalSince)
      return `a ${type} of version ${version} has no member personal`
    if (!isObject(data.personal)) return 'personal is no object'
  }
  return dataProblemOf(event)
}

/** Whether streams of this category hold events of this type. */
export function isKnown({ stream, type }: Pick<RecordedEvent, 'stream' | 'type'>): boolean {
  return Object.hasOwn(shapesOf.get(categoryOf(stream)) ?? {}, type)
}

/** Why the data of a known event is not what its type says, in the version in which it is read; `undefined` if it is. */
export function dataProblemOf(event: RecordedEvent): string | undefined {
  const shape = shapesOf.get(categoryOf(event.stream))?.[event.type] ?? {}
  const data = currentDataOf(event)
  if (!isObject(data)) return `the data of ${event.type} cannot be read`
  const { path, code, expected } = misshapen(shape, data) ?? {}
  return path && `data.${path} of ${event.type} is to be ${expected} (${code})`
}

function currentDataOf(event: RecordedEvent): unknown {
  try {
    return upcasted(event, upcasts).data
  } catch {
    return undefined
  }
}
