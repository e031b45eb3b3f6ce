import { isObject } from '../../engine/index.ts'

/** The namespace of OTEP's own members in EPCIS documents: of JSON-LD keys and of XML elements alike. */
export const otepNamespace = 'urn:otep:epcis:'

/** The prefix of that namespace (EPCIS 2.0, extension mechanisms). */
export const otepPrefix = 'otep:'

/** Members of an extension: every name is prefixed, at every depth. */
export type Extension = Readonly<Record<string, unknown>>

/** Native members as extension members, by name: `{source: {type}}` becomes `{'otep:source': {'otep:type'}}`. */
export function extended(members: object): Extension {
  const extension: Record<string, unknown> = {}
  for (const name of Object.keys(members).sort()) {
    const value: unknown = (members as Extension)[name]
    if (value !== undefined) extension[otepPrefix + name] = extendedValue(value)
  }
  return extension
}

/** The native members among the members of a document; all that is not OTEP's own is left out. */
export function unextended(members: object): Readonly<Record<string, unknown>> {
  const own = Object.entries(members).filter(([name]) => name.startsWith(otepPrefix))
  return Object.fromEntries(own.map(([name, value]) => [name.slice(otepPrefix.length), unextendedValue(value)]))
}

/** A native value with the members of its objects prefixed, at every depth. */
export function extendedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(extendedValue)
  return isObject(value) ? extended(value) : value
}

function unextendedValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unextendedValue)
  return isObject(value) ? unextended(value) : value
}
