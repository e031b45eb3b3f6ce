// The files of tests: where they are, in which run each is first, and what they import.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder of package.json. */
export const root = fileURLToPath(new URL('..', import.meta.url))

/** The runs, the quickest first; each includes those before it. */
export const tiers = ['quick', 'system', 'ci', 'nightly']

const folders = ['docs', 'bench', 'conformance', 'adapters', 'engine', 'projections', 'profiles']

/** Whether a word names a file of tests. */
export const isTest = (word) => /\.test\.ts$/.test(word)

/** All tests, by their paths from package.json. */
export function allTests() {
  return folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true })
        .sort()
        .map((path) => join(folder, path)),
    )
    .filter((path) => isTest(path) && !path.includes('node_modules'))
}

/** The number of the first run that has a test. */
export function tierOf(path) {
  return tiers.indexOf(/\.(\w+)\.test\.ts$/.exec(path)?.[1] ?? 'quick')
}

/** Where the compiled file of a test is. */
export function compiled(path) {
  return join('dist', path).replace(/\.ts$/, '.js')
}

/** Whether a file imports another, directly or through what it imports. */
export function reaches(path, wanted, seen = new Set()) {
  if (path === wanted) return true
  if (seen.has(path)) return false
  seen.add(path)
  const imports = readFileSync(join(root, path), 'utf8').matchAll(
    /^(?:import|export|\} from) ?[^\n]*?'(\.{1,2}\/[^']+\.ts)'/gm,
  )
  return [...imports].some(([, specifier]) => reaches(normalize(join(dirname(path), specifier)), wanted, seen))
}
