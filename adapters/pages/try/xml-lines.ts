import { lineIn, lineStarts } from './lines.ts'

/** An element of a document: its local name in lower case, where it begins, and what is in it. */
interface Element {
  readonly name: string
  readonly at: number
  readonly parent: Element | undefined
  readonly children: Element[]
}

/** Comments, character data, instructions, the document type, and tags; of an opening tag the name, and `/` if it ends at once. */
const markup =
  /<(?:!--[\s\S]*?-->|!\[CDATA\[[\s\S]*?\]\]>|\?[\s\S]*?\?>|![^>]*>|\/[^>]*>|([^\s/>!?]+)(?:"[^"]*"|'[^']*'|[^"'>/]|\/(?!>))*(\/?)>)/g

/** Tags that are read in one step. */
const tagsPerStep = 5_000

/** Elements of EPCIS that hold what older versions of the standard had no place for; no path names them. */
const wrappers: ReadonlySet<string> = new Set(['extension', 'baseextension'])

/**
 * The lines of the elements at these paths of a well-formed XML text. The paths are those of the document as JSON, such as
 * `epcisBody.eventList[0].eventTime`: names without their prefix and in any case, and places in lists. What is no element,
 * such as an attribute or what is missing, has the line of what would hold it; the empty path has none.
 */
export function* xmlLinesOf(text: string, paths: readonly string[]): Generator<void, ReadonlyMap<string, number>> {
  const sought = [...new Set(paths)].filter((path) => path !== '')
  const lines = new Map<string, number>()
  const root = sought.length === 0 ? undefined : yield* rootOf(text)
  if (root === undefined) return lines
  const starts = lineStarts(text)
  for (const path of sought) {
    lines.set(path, lineIn(starts, elementAt(root, path).at))
    yield
  }
  return lines
}

function* rootOf(text: string): Generator<void, Element | undefined> {
  let root: Element | undefined
  let open: Element | undefined
  let read = 0
  for (const { 0: whole, 1: name, 2: end, index: at } of text.matchAll(markup)) {
    if (++read % tagsPerStep === 0) yield
    if (whole.startsWith('</')) open = open?.parent
    if (name === undefined) continue
    const element: Element = { name: localName(name), at, parent: open, children: [] }
    open?.children.push(element)
    root ??= element
    if (end === '') open = element
  }
  return root
}

/** The element that a path leads to, as far as there is one. */
function elementAt(root: Element, path: string): Element {
  let at = root
  for (const [, name, place] of path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)) {
    const next = place === undefined ? childNamed(at, localName(name ?? '')) : itemOf(at, Number(place))
    if (next === undefined) return at
    at = next
  }
  return at
}

function childNamed({ children }: Element, name: string): Element | undefined {
  const found = children.find((child) => child.name === name)
  if (found !== undefined) return found
  for (const child of children) {
    const below = wrappers.has(child.name) ? childNamed(child, name) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

/** An item of a list: an element in it, or, if the list has no separate element, the next one of its name. */
function itemOf(list: Element, place: number): Element | undefined {
  const item = list.children[place]
  if (item !== undefined) return wrappers.has(item.name) ? (item.children[0] ?? item) : item
  return list.parent?.children.filter(({ name }) => name === list.name)[place]
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase()
}
