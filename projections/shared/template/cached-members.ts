import { cachedWriter, type Identity } from './cache.ts'
import { type Members, within } from './objects.ts'
import { sequence } from './sequence.ts'
import type { Template } from './template.ts'

/**
 * Members that all depend on one part, such as a place or a row of a table. They are written together, with a cache,
 * and have to be neighbours in their object.
 */
export function cachedMembers<Input, Part extends NonNullable<unknown>, Output extends object>(
  get: (input: Input) => Part,
  members: Members<Part, Output>,
  identity?: Identity<Part>,
): Members<Input, Output> {
  const entries = Object.entries<Template<Part, unknown>>(members)
  const write = sequence(entries.map(([name, item]) => ({ item, name: `${JSON.stringify(name)}:` })))
  const group = {
    writer: (before: string) => {
      const textOf = cachedWriter((part: Part) => {
        const text = write(part)
        return text === '' ? '' : before + text
      }, identity)
      return (input: Input) => textOf(get(input))
    },
  }
  const grouped = entries.map(([name, item]) => [name, { ...within(get, item), group }])
  return Object.fromEntries(grouped) as Members<Input, Output>
}
