import { type Members, within } from './objects.ts'
import { type Likeness, recurringText } from './recurring.ts'
import { sequence } from './sequence.ts'
import type { Template } from './template.ts'

/**
 * Members that all follow from one thing that comes again and again, such as a place or a row of a table: what is
 * written of them together is remembered. They stand side by side in the object that they are members of.
 */
export function together<Given, Part extends NonNullable<unknown>, Made extends object>(
  get: (given: Given) => Part,
  members: Members<Part, Made>,
  likeness?: Likeness<Part>,
): Members<Given, Made> {
  const entries = Object.entries<Template<Part, unknown>>(members)
  const write = sequence(entries.map(([name, item]) => ({ item, name: `${JSON.stringify(name)}:` })))
  const group = {
    writer: (before: string) => {
      const textOf = recurringText((part: Part) => {
        const text = write(part)
        return text === '' ? '' : before + text
      }, likeness)
      return (given: Given) => textOf(get(given))
    },
  }
  const grouped = entries.map(([name, item]) => [name, { ...within(get, item), group }])
  return Object.fromEntries(grouped) as Members<Given, Made>
}
