import {
  type FileRule,
  isTestPath,
  type Outline,
  type Source,
  type TreeRule,
  type Violation,
  violation,
} from './source.ts'

/** From the inside out: a file imports from its own layer and from those before it in this list. */
const layers: readonly (readonly string[])[] = [
  ['engine/kernel/'],
  ['engine/store/'],
  ['engine/entity/'],
  ['engine/domains/'],
  ['engine/domains/index.ts', 'engine/domains/of-all.ts', 'engine/domains/ports.ts', 'engine/domains/read-models.ts'],
  ['engine/index.ts'],
  ['engine/testing/'],
  ['profiles/'],
  ['projections/'],
  ['adapters/library/'],
  ['adapters/'],
  ['conformance/suites/'],
  ['conformance/', 'bench/', 'docs/'],
]

interface Siblings {
  readonly folder: string
  /** Who may import the members. */
  readonly lists: readonly string[]
  /** Whether the member that `from` belongs to may import this path outside of the member. */
  readonly isShared: (path: string, from: string) => boolean
}

/** Folders whose members must not import each other. */
const siblings: readonly Siblings[] = [
  {
    folder: 'engine/domains/',
    lists: [
      'engine/domains/index.ts',
      'engine/domains/of-all.ts',
      'engine/domains/ports.ts',
      'engine/domains/read-models.ts',
    ],
    isShared: () => false,
  },
  {
    folder: 'projections/',
    lists: ['projections/list.ts', 'projections/index.ts'],
    isShared: (path) => path.startsWith('projections/shared/'),
  },
  {
    folder: 'adapters/',
    lists: [
      ...['adapters/main.ts', 'adapters/app.ts', 'adapters/engine.ts', 'adapters/formats.ts'],
      ...['adapters/work.ts', 'adapters/workers.ts', 'adapters/server.ts', 'adapters/cli/'],
    ],
    isShared: (path, from) =>
      path.startsWith('adapters/http/') ||
      (!from.startsWith('adapters/http/') && /^adapters\/(node|locales)\//.test(path)),
  },
  {
    folder: 'adapters/sqlite/',
    lists: [],
    isShared: (path) => /^adapters\/sqlite\/[^/]+$/.test(path),
  },
]

/** Imports point inwards, members of a folder do not know each other, and the engine has one door. */
export const arrows: FileRule = (source) => [
  ...strayFile(source),
  ...source.imports.flatMap(({ target, line }) => {
    const sentence = target === undefined ? undefined : objection(source, target)
    return sentence === undefined ? [] : [violation(source, 'arrow', sentence, line)]
  }),
]

/** No file imports itself by way of others, not even for a type. */
export const cycles: TreeRule = (outlines) => {
  const byPath = new Map(outlines.map((outline) => [outline.path, outline]))
  const done = new Set<string>()
  const found: Violation[] = []
  function visit(file: Outline, trail: readonly string[]) {
    const path = [...trail, file.path]
    for (const { target, line } of file.imports) {
      const next = byPath.get(target ?? '')
      if (next === undefined || done.has(next.path)) continue
      const start = path.indexOf(next.path)
      if (start < 0) visit(next, path)
      else found.push(violation(file, 'cycle', [...path.slice(start), next.path].join(' -> '), line))
    }
    done.add(file.path)
  }
  for (const file of outlines) if (!done.has(file.path)) visit(file, [])
  return found
}

function strayFile(source: Source): readonly Violation[] {
  if (layerOf(source.path) >= 0) return []
  return [violation(source, 'arrow', 'The file is in none of the layers of the project.')]
}

function objection(source: Source, target: string): string | undefined {
  if (source.isTest) return testObjection(source.path, target)
  if (isTestPath(target)) return `Only tests import a test file: ${target}.`
  if (target.startsWith('../')) return `The import leaves the project: ${target}.`
  return (
    outwards(source.path, target) ??
    pastTheDoor(source.path, target) ??
    sideways(source.path, target) ??
    betweenFolders(source.path, target)
  )
}

/** Tests of the engine run without any adapter. Elsewhere a test may import anything. */
function testObjection(path: string, target: string): string | undefined {
  if (!path.startsWith('engine/') || layerOf(target) <= layerOf('projections/')) return undefined
  const rule = 'A test of the engine imports profiles and projections at most, because they are pure'
  return `${rule}: ${target}. Test what needs an adapter in conformance/.`
}

function outwards(path: string, target: string): string | undefined {
  if (layerOf(target) <= layerOf(path)) return undefined
  return `${layerName(path)} must not know ${layerName(target)}: ${target}. Pass it in as an argument.`
}

function pastTheDoor(path: string, target: string): string | undefined {
  if (!target.startsWith('engine/') || target === 'engine/index.ts') return undefined
  if (target.startsWith('engine/testing/')) {
    return path.startsWith('engine/testing/') ? undefined : `engine/testing is for tests: ${target}.`
  }
  // The library takes single files, so that what it publishes loads nothing else of the engine.
  const isInside = path.startsWith('engine/') || path.startsWith('adapters/library/')
  return isInside ? undefined : `From outside of engine/ only engine/index.ts is imported: ${target}.`
}

function sideways(path: string, target: string): string | undefined {
  for (const { folder, lists, isShared } of siblings) {
    if (!path.startsWith(folder) || !target.startsWith(folder)) continue
    const [from, to] = [path, target].map((one) => one.slice(folder.length).split('/')[0])
    if (from === to || lists.some((list) => path.startsWith(list)) || isShared(target, path)) continue
    return `${folder}${from} must not know ${folder}${to}: ${target}.`
  }
  return undefined
}

/** Sub-folders that their siblings may import. */
const sharedFolders = ['adapters/pages/signed-in/', 'adapters/pages/texts/']

/** Sub-folders of one folder do not know each other, however deep they are. */
function betweenFolders(path: string, target: string): string | undefined {
  const [from, to] = [path.split('/'), target.split('/')]
  const depth = from.findIndex((part, place) => part !== to[place])
  const areFolders = depth >= 2 && depth < from.length - 1 && depth < to.length - 1
  if (!areFolders || sharedFolders.some((folder) => target.startsWith(folder))) return undefined
  return `${from.slice(0, depth + 1).join('/')} must not know ${to.slice(0, depth + 1).join('/')}: ${target}.`
}

/** The index in the list of layers by the longest matching prefix; -1 for files outside of the layers. */
function layerOf(path: string): number {
  const fitting = layers.flatMap((prefixes, layer) =>
    prefixes.filter((prefix) => path.startsWith(prefix)).map(({ length }) => ({ layer, length })),
  )
  return fitting.sort((one, other) => other.length - one.length)[0]?.layer ?? -1
}

function layerName(path: string): string {
  const prefixes = layers[layerOf(path)] ?? []
  return prefixes.find((prefix) => path.startsWith(prefix)) ?? path
}
