import { json } from './leaves.ts'
import type { Template } from './template.ts'

/** A template for each member that may be there. */
type Known<Given> = { readonly [Name in keyof Given]-?: Template<Given, Given[Name] | undefined> }

/** An object as it is, its members in the order in which they stand; one that is not known goes out as JSON has it. */
export function asItStands<Given extends object>(members: Known<Given>): Template<Given, Given> {
  const entries = Object.entries<Template<Given, unknown>>(members)
  const writers = new Map(entries.map(([name, item]) => [name, writersOf(name, item)]))
  const write = (given: Given, names: readonly string[]) => {
    let out = ''
    for (const name of names) {
      const { first, next } = writers.get(name) ?? writersOf(name, stranger(name))
      out += (out === '' ? first : next)(given)
    }
    return out
  }
  const [long, { split } = {}] = entries.find(([, item]) => item.split !== undefined) ?? []
  return {
    make: (given) => given,
    writer: (before) => (given) => `${before}{${write(given, Object.keys(given))}}`,
    ...(split && {
      split: (given: Given) => {
        const names = Object.keys(given)
        const at = names.indexOf(long as string)
        const inner = split(given)
        if (at === -1 || inner === undefined) return undefined
        const [head, tail] = [write(given, names.slice(0, at)), write(given, names.slice(at + 1))]
        const before = `{${head}${head === '' ? '' : ','}${JSON.stringify(long)}:${inner.before}`
        return { ...inner, before, after: `${inner.after}${tail === '' ? '' : ','}${tail}}` }
      },
    }),
  }
}

function writersOf<Given>(name: string, item: Template<Given, unknown>) {
  const named = `${JSON.stringify(name)}:`
  return { first: item.writer(named), next: item.writer(`,${named}`) }
}

function stranger<Given extends object>(name: string): Template<Given, unknown> {
  return json((given) => given[name as keyof Given])
}
