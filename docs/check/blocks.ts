/** A block of commands that the tests run, and what its page says of its output, if anything. */
export interface Block {
  readonly text: string
  /** Line of its fence, from 1. */
  readonly line: number
  /** Part of the output, `...` standing for anything; white space does not count. */
  readonly expected: string | undefined
}

interface Fence {
  readonly info: string
  readonly text: string
  readonly line: number
  /** Whether nothing but blank lines is between the block before and this one. */
  readonly follows: boolean
}

/** The blocks of a page that are fenced as `sh run`; one fenced as `text output` or `json output` beneath is expected. */
export function blocksOf(markdown: string): readonly Block[] {
  const fences = fencesOf(markdown)
  return fences.flatMap(({ info, text, line }, index) => {
    if (info !== 'sh run') return []
    const next = fences[index + 1]
    const expected = next?.follows === true && next.info.endsWith(' output') ? next.text : undefined
    return [{ text, line, expected }]
  })
}

/** The files that a page tells its reader to write, by their paths: blocks fenced as `ts file=PATH`, or `js`, `json` or `html`. */
export function filesOf(markdown: string): ReadonlyMap<string, string> {
  return new Map(fencesOf(markdown).flatMap(({ info, text }) => named(/^(?:ts|js|json|html) file=(\S+)$/, info, text)))
}

/** The changes that a page tells its reader to make to files that exist: blocks fenced as `diff file=PATH`. */
export function changesOf(markdown: string): ReadonlyMap<string, string> {
  return new Map(fencesOf(markdown).flatMap(({ info, text }) => named(/^diff file=(\S+)$/, info, text)))
}

function named(pattern: RegExp, info: string, text: string): readonly (readonly [string, string])[] {
  const [, path] = pattern.exec(info) ?? []
  return path === undefined ? [] : [[path, text]]
}

/** A file with a change made: `+` lines above any `-` line go to the top, others take the place of the line that goes. */
export function withChange(text: string, change: string): string {
  const lines = change.split('\n').filter((line) => /^[+-]/.test(line))
  const first = lines.findIndex((line) => line.startsWith('-'))
  const added = (part: readonly string[]) => part.flatMap((line) => (line.startsWith('+') ? [line.slice(1)] : []))
  const gone = `\n${lines[first]?.slice(1)}\n`
  if (!text.includes(gone)) throw new Error(`There is no line ${gone.trim()}.`)
  const [top, rest] = [added(lines.slice(0, first)), added(lines.slice(first))]
  return `${top.join('\n')}\n${text.replace(gone, `\n${rest.join('\n')}\n`)}`
}

/** The page with its fenced blocks taken out. */
export function withoutFences(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```$/gm, '')
}

/** Whether an output holds the parts that are expected of it, one after the other. */
export function holds(output: string, expected: string): boolean {
  const found = squeezed(output)
  let place = 0
  return expected
    .split('...')
    .map(squeezed)
    .every((part) => {
      const at = found.indexOf(part, place)
      place = at + part.length
      return at >= 0
    })
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, '')
}

function fencesOf(markdown: string): readonly Fence[] {
  const fences: Fence[] = []
  let between = ''
  let open: { readonly info: string; readonly line: number; readonly lines: string[] } | undefined
  for (const [index, line] of markdown.split('\n').entries()) {
    const info = /^```(.*)$/.exec(line)?.[1]?.trim()
    if (open === undefined) {
      if (info === undefined) between += line
      else open = { info, line: index + 1, lines: [] }
    } else if (info === '') {
      const isFirst = fences.length === 0
      fences.push({
        info: open.info,
        line: open.line,
        text: open.lines.join('\n'),
        follows: !isFirst && between.trim() === '',
      })
      open = undefined
      between = ''
    } else open.lines.push(line)
  }
  return fences
}
