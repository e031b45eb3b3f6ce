import type { GenericSchema, InferOutput } from 'valibot'
import type { Carrier, PaymentProvider, Profile, Projection, Storage } from '../../engine/index.ts'
import { stringified } from '../../projections/shared/template/index.ts'

export * as v from 'valibot'
export type {
  AskedPayment,
  BegunAnswer,
  Carrier,
  CarrierAnswer,
  CarrierCall,
  CarrierInputs,
  CarrierLabel,
  CarrierOffer,
  CarrierScan,
  CodeMapping,
  EventStore,
  Fidelity,
  Location,
  PagedTimeline,
  PaymentCall,
  PaymentNotice,
  PaymentProvider,
  PaymentReport,
  Profile,
  Projection,
  Purchase,
  Reading,
  Representation,
  Shipment,
  ShipmentParcel,
  ShipmentParty,
  StatusCode,
  Storage,
  Subject,
  Target,
  Timeline,
  TimelineEvent,
} from '../../engine/index.ts'
export { createMemoryStore, isAfter, withoutMarkup } from '../../engine/index.ts'
export { type CodeTable, keptMappings, mappingsOf, rowsOf } from '../../projections/shared/codes.ts'
export { placeText } from '../../projections/shared/place.ts'
export { profileOf } from '../../projections/shared/profile.ts'
export { nameOf, segment } from '../../projections/shared/subject.ts'
export {
  documents,
  each,
  flag,
  list,
  number,
  object,
  plain,
  streamedList,
  stringified,
  text,
} from '../../projections/shared/template/index.ts'
export { utcMillisOf, utcOf } from '../../projections/shared/time.ts'
export { writeXml, type XmlElement } from '../../projections/shared/xml.ts'

/** What a plug-in adds. Names that are built in, or that another plug-in has, are refused at start. */
export interface Plugin {
  readonly projections?: readonly Projection[]
  readonly profiles?: readonly Profile[]
  readonly stores?: readonly StoreKind[]
  readonly carriers?: readonly Carrier[]
  readonly paymentProviders?: readonly PaymentProvider[]
}

/** A kind of store, chosen by the scheme of `--store`. */
export interface StoreKind {
  /** The scheme of its addresses without the colon: `redis` for `redis://localhost`. */
  readonly scheme: string
  /** Opens the store at an address; creates it if it does not exist. It must pass `storageSuite` of `otep-engine/testing`. */
  open(url: string, options: StoreOptions): Storage | Promise<Storage>
}

/** What a store gets from the engine. */
export interface StoreOptions {
  /** Epoch milliseconds; the time of recording of every event comes from here. */
  readonly clock: () => number
}

/** A configuration file, `otep.config.js`: its default export. */
export interface OtepConfig {
  /** Names of packages, paths from the working directory, or plug-ins that the file imported itself. */
  readonly plugins?: readonly (string | Plugin)[]
}

/** The members of a format that have a default. */
type Defaulted = 'write' | 'pieces' | 'representations' | 'external' | 'losses'

/** A format as a plug-in defines it. */
export type ProjectionDefinition<Doc> = Omit<Projection<Doc>, Defaulted> & Partial<Pick<Projection<Doc>, Defaulted>>

/** Defines a plug-in: `export const plugin = definePlugin({ projections: [diary] })`. */
export function definePlugin(plugin: Plugin): Plugin {
  return plugin
}

/**
 * Defines a format. By default it has no representation but JSON, is a standard outside OTEP, has no losses to tell, and
 * `JSON.stringify` writes what `project` makes.
 */
export function defineProjection<Doc>(format: ProjectionDefinition<Doc>): Projection<Doc> {
  return { representations: [], external: true, losses: [], ...stringified(format.project), ...format }
}

/** Defines a profile: the codes, phases and transitions of a trade. */
export function defineProfile<const Definition extends Profile>(profile: Definition): Definition {
  return profile
}

/** Defines a kind of store. */
export function defineStore(store: StoreKind): StoreKind {
  return store
}

/** Defines a carrier. It must pass `carrierSuite` of `otep-engine/testing`. */
export function defineCarrier<const Schema extends GenericSchema>(
  carrier: Omit<Carrier<InferOutput<Schema>>, 'credentials'> & { readonly credentials: Schema },
): Carrier {
  return carrier
}

/** Defines a payment provider. */
export function definePaymentProvider<const Schema extends GenericSchema>(
  provider: Omit<PaymentProvider<InferOutput<Schema>>, 'credentials'> & { readonly credentials: Schema },
): PaymentProvider {
  return provider
}

/** Defines the configuration of a working directory: `export default defineConfig({ plugins: ['./diary.js'] })`. */
export function defineConfig(config: OtepConfig): OtepConfig {
  return config
}
