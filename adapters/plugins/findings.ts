import {
  carrierFindings,
  isObject,
  type Profile,
  type Projection,
  paymentProviderFindings,
  profileFindings,
  projectionFindings,
} from '../../engine/index.ts'
import { unregisteredCodes } from '../../profiles/index.ts'
import { builtInSchemes } from '../node/config.ts'
import type { Plugin, StoreKind } from './index.ts'

/** The built-in parts that a plug-in is added to. */
export interface BuiltIn {
  readonly profiles: readonly [Profile, ...Profile[]]
  readonly projections: readonly [Projection, ...Projection[]]
  /** Names of carriers. */
  readonly carriers: readonly string[]
  /** Names of payment providers. */
  readonly paymentProviders: readonly string[]
}

/** What all plug-ins add together. */
export type Added = Required<Plugin>

/** What no plug-in adds. */
export const nothingAdded: Added = { profiles: [], projections: [], stores: [], carriers: [], paymentProviders: [] }

/** A part that has a name. */
interface Named {
  readonly name: string
}

/** What is wrong with a plug-in: the path of the member (`projections[0].name`) and an English sentence. */
interface PluginFinding {
  readonly path: string
  readonly message: string
}

const kinds = ['projections', 'profiles', 'stores', 'carriers', 'paymentProviders'] as const

/** Everything that is wrong with a plug-in; empty if it can be added to the built-in parts and those of other plug-ins. */
export function pluginFindings(
  plugin: unknown,
  builtIn: BuiltIn,
  before: Added = nothingAdded,
): readonly PluginFinding[] {
  return isPlugin(plugin) ? partFindings(plugin, builtIn, withPlugin(before, plugin)) : shapeFindings(plugin)
}

/** Whether a value has the shape of a plug-in; its parts may still be faulty. */
export function isPlugin(value: unknown): value is Plugin {
  return shapeFindings(value).length === 0
}

function shapeFindings(plugin: unknown): readonly PluginFinding[] {
  if (!isObject(plugin)) return [{ path: '', message: 'the module must export "plugin", made with definePlugin' }]
  return [
    ...Object.keys(plugin)
      .filter((name) => !kinds.some((kind) => kind === name))
      .map((name) => ({ path: name, message: `is none of ${kinds.join(', ')}` })),
    ...kinds
      .filter((kind) => plugin[kind] !== undefined && !isListOfRecords(plugin[kind]))
      .map((kind) => ({ path: kind, message: 'must be a list of objects' })),
  ]
}

/** What plug-ins add, together with one more. */
export function withPlugin(
  added: Added,
  { profiles = [], projections = [], stores = [], carriers = [], paymentProviders = [] }: Plugin,
): Added {
  return {
    profiles: [...added.profiles, ...profiles],
    projections: [...added.projections, ...projections],
    stores: [...added.stores, ...stores],
    carriers: [...added.carriers, ...carriers],
    paymentProviders: [...added.paymentProviders, ...paymentProviders],
  }
}

function partFindings(plugin: Plugin, builtIn: BuiltIn, all: Added): readonly PluginFinding[] {
  const { profiles = [], projections = [], stores = [], carriers = [], paymentProviders = [] } = plugin
  const use = {
    profiles: [...builtIn.profiles, ...all.profiles] as const,
    formats: [...builtIn.projections, ...all.projections],
  }
  const unregistered = Object.keys(unregisteredCodes)
  const inProfiles = profiles.flatMap((profile, index) =>
    below(`profiles[${index}]`, profileFindings(profile, { ...use, unregistered })),
  )
  // A format is tried on every profile, so the profiles have to be in order.
  if (inProfiles.length > 0) return inProfiles
  return [
    ...projections.flatMap((format, index) => below(`projections[${index}]`, projectionFindings(format, use))),
    ...stores.flatMap((store, index) => below(`stores[${index}]`, storeFindings(store, all.stores))),
    ...carriers.flatMap((carrier, index) =>
      below(`carriers[${index}]`, [
        ...carrierFindings(carrier),
        ...nameFindings('carrier', carrier, builtIn.carriers, all.carriers),
      ]),
    ),
    ...paymentProviders.flatMap((provider, index) =>
      below(`paymentProviders[${index}]`, [
        ...paymentProviderFindings(provider),
        ...nameFindings('payment provider', provider, builtIn.paymentProviders, all.paymentProviders),
      ]),
    ),
  ]
}

function storeFindings({ scheme, open }: Partial<StoreKind>, stores: readonly StoreKind[]): readonly PluginFinding[] {
  if (scheme === undefined || !/^[a-z][a-z0-9+.-]+$/.test(scheme))
    return [{ path: 'scheme', message: 'must be a word of at least two small letters, such as redis' }]
  if (typeof open !== 'function') return [{ path: 'open', message: 'must be a function' }]
  const isTaken = builtInSchemes.includes(scheme) || stores.filter((one) => one.scheme === scheme).length > 1
  return isTaken ? [{ path: 'scheme', message: `there is another store for ${scheme}:` }] : []
}

function nameFindings(
  kind: string,
  { name }: Named,
  builtInNames: readonly string[],
  all: readonly Named[],
): readonly PluginFinding[] {
  const isTaken = builtInNames.includes(name) || all.filter((one) => one.name === name).length > 1
  return isTaken ? [{ path: 'name', message: `there is another ${kind} ${name}` }] : []
}

function below(path: string, findings: readonly PluginFinding[]): readonly PluginFinding[] {
  return findings.map((finding) => ({
    path: finding.path === '' ? path : `${path}.${finding.path}`,
    message: finding.message,
  }))
}

function isListOfRecords(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject)
}
