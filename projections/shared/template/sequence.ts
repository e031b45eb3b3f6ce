import type { Template, Writer } from './template.ts'

/** A template with the text before it: the name of a member and a colon. */
export interface Item<Input> {
  readonly name: string
  readonly item: Template<Input, unknown>
}

/** Writes the items that are not left out, with commas between them. Neighbouring constants become one text. */
export function sequence<Input>(items: readonly Item<Input>[]): Writer<Input> {
  const first: Writer<Input>[] = []
  const next: Writer<Input>[] = []
  let fixed = ''
  const close = () => {
    const text = fixed
    if (text === '') return
    first.push(() => text.slice(1))
    next.push(() => text)
    fixed = ''
  }
  for (const [at, { name, item }] of items.entries()) {
    const { group } = item
    if (group !== undefined) {
      if (group === items[at - 1]?.item.group) continue
      close()
      first.push(group.writer(''))
      next.push(group.writer(','))
    } else if (item.fixed !== undefined) fixed += `,${name}${item.fixed}`
    else {
      close()
      first.push(item.writer(name))
      next.push(item.writer(`,${name}`))
    }
  }
  close()
  const count = next.length
  return (input) => {
    let at = 0
    let out = ''
    while (out === '' && at < count) out = (first[at++] as Writer<Input>)(input)
    while (at < count) out += (next[at++] as Writer<Input>)(input)
    return out
  }
}
