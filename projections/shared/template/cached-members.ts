import { cachedWriter, type Identity } from './cache.ts'
import { type Members, within } from './objects.ts'
import { sequence } from './sequence.ts'
import type { Template } from './template.ts'

/**
 * Members that all follow from one thing that comes again and again, such as a place or a row of a table: what is
 * written of them together is remembered. They stand side by side in the object that they are members of.
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
