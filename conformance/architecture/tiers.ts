import { type Outline, type TreeRule, violation } from './source.ts'

const slow = new Set(['node:child_process', 'playwright-core'])

/** A test without a tier in its name is one of the quick run: neither it nor what it is set up by starts a process or a browser. */
export const quickTests: TreeRule = (outlines) => {
  const byPath = new Map(outlines.map((outline) => [outline.path, outline]))
  return outlines.filter(isQuickTest).flatMap((file) => {
    const found = slowImport(file, byPath, new Set())
    if (found === undefined) return []
    return [violation(file, 'tier', `The quick run has no ${found}: call the file x.system.test.ts.`)]
  })
}

function isQuickTest({ path }: Outline): boolean {
  return /\/[\w-]+\.test\.ts$/.test(path)
}

/** The first slow package that a test imports, directly or through files that only tests use. */
function slowImport(file: Outline, byPath: ReadonlyMap<string, Outline>, seen: Set<string>): string | undefined {
  seen.add(file.path)
  for (const { specifier, target = '' } of file.imports) {
    if (slow.has(specifier)) return specifier
    const next = byPath.get(target)
    if (next === undefined || seen.has(target) || !(next.isTest || target.startsWith('conformance/'))) continue
    const found = slowImport(next, byPath, seen)
    if (found !== undefined) return found
  }
  return undefined
}
