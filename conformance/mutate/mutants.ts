import ts from '@typescript/typescript6'
import { isLeftAlone, type Replacement, replacementsOf } from './operators.ts'

/** One small change of one file. */
export interface Mutant extends Replacement {
  /** Path from the root of the project. */
  readonly file: string
  /** Counted from 1. */
  readonly line: number
  /** The line where the change begins, without indentation. */
  readonly before: string
  /** What that line becomes, in one line. */
  readonly after: string
}

/** All mutants of a file, in the order of its text. */
export function mutantsOf(file: string, text: string): readonly Mutant[] {
  const ast = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const found = new Map<string, Mutant>()
  function visit(node: ts.Node) {
    if (isLeftAlone(node)) return
    for (const replacement of replacementsOf(node)) {
      const { start, end, text: other } = replacement
      if (text.slice(start, end) !== other) found.set(`${start} ${end} ${other}`, described(replacement))
    }
    ts.forEachChild(node, visit)
  }
  function described(replacement: Replacement): Mutant {
    const { start, end, text: other } = replacement
    const { line } = ast.getLineAndCharacterOfPosition(start)
    const from = text.lastIndexOf('\n', start - 1) + 1
    const to = endOfLine(text, end)
    const after = inOneLine(text.slice(from, start) + other + text.slice(end, to))
    return { ...replacement, file, line: line + 1, before: inOneLine(text.slice(from, endOfLine(text, start))), after }
  }
  ts.forEachChild(ast, visit)
  return [...found.values()].sort((one, other) => one.start - other.start)
}

/** The text of a file with a mutant in it. */
export function mutated(text: string, { start, end, text: other }: Replacement): string {
  return text.slice(0, start) + other + text.slice(end)
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
