import { type Source, type TreeRule, violation } from './source.ts'

const slow = new Set(['node:child_process', 'playwright-core'])

/** A test without a tier in its name is one of the quick run: neither it nor what it is set up by starts a process or a browser. */
export const quickTests: TreeRule = (sources) => {
  const byPath = new Map(sources.map((source) => [source.path, source]))
  return sources.filter(isQuickTest).flatMap((source) => {
    const found = slowImport(source, byPath, new Set())
    if (found === undefined) return []
    return [violation(source, 'tier', `The quick run has no ${found}: call the file x.system.test.ts.`)]
  })
}

function isQuickTest({ path }: Source): boolean {
  return /\/[\w-]+\.test\.ts$/.test(path)
}

/** The first slow package that a test imports, directly or through files that only tests use. */
function slowImport(source: Source, byPath: ReadonlyMap<string, Source>, seen: Set<string>): string | undefined {
  seen.add(source.path)
  for (const { specifier, target = '' } of source.imports) {
    if (slow.has(specifier)) return specifier
    const next = byPath.get(target)
    if (next === undefined || seen.has(target) || !(next.isTest || target.startsWith('conformance/'))) continue
    const found = slowImport(next, byPath, seen)
    if (found !== undefined) return found
  }
  return undefined
}
