import type { Domain } from '../entity/domain.ts'
import type { Table } from '../entity/field.ts'
import type { Catalogue } from '../kernel/catalogue.ts'
import { englishOf, kernelMessages, kindsOf } from '../kernel/messages/index.ts'
import { listedDomains } from './index.ts'

/** All domains. */
export const domains: readonly Domain[] = listedDomains

/** The tables of all entities. */
export const entities: readonly Table[] = domains.flatMap(({ tables = [] }) => tables)

/** The catalogues of the kernel and of every domain. */
export const catalogues: readonly Catalogue[] = [...kernelMessages, ...domains.flatMap(({ messages = [] }) => messages)]

/** Every message of the engine in English. */
export const en = englishOf(catalogues)

/** The kind of every refusal of the engine. */
export const kinds = kindsOf(catalogues)

type Listed = (typeof listedDomains)[number]

/** What all domains give, by who needs it. */
type Given = Together<Listed extends infer One ? (One extends { readonly gives: infer G } ? G : never) : never>

/** All members of several types. */
type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never

/** What domains need of one another, as far as one of them gives it. */
export const given = givenBy(domains) as Given

function givenBy(all: readonly Domain[]): Readonly<Record<string, object>> {
  const found: Record<string, object> = {}
  for (const { gives = {} } of all)
    for (const [name, one] of Object.entries(gives)) found[name] = { ...found[name], ...one }
  return found
}
