import { isBuiltin } from 'node:module'
import { type FileRule, type Named, type Outline, type TreeRule, violation } from './source.ts'

/** The inner layers, and every package that each may import; the longest prefix counts. */
const diets: Readonly<Record<string, readonly string[]>> = {
  'engine/': [],
  'engine/kernel/': ['valibot', '#hash', 'node:crypto', '@noble/hashes'],
  'engine/store/': ['valibot', 'node:timers/promises'],
  'engine/entity/': ['valibot'],
  'engine/domains/': ['valibot'],
  'engine/testing/': ['valibot', 'tap', 'fast-check'],
  'profiles/': [],
  'projections/': ['valibot'],
  'projections/shared/': ['valibot', 'jsonld'],
  // The suites are part of the package: they work in any test runner.
  'conformance/suites/': [
    ...['valibot', 'fast-check', 'libxml2-wasm', 'node:assert', 'node:assert/strict', 'node:crypto', 'node:fs'],
    ...['node:path', 'node:timers/promises', 'node:util'],
  ],
}

/** The only folders that may import a package (or a scope of packages). */
const homes: Readonly<Record<string, readonly string[]>> = {
  '@eventstore/': ['adapters/eventstore/', 'conformance/', 'bench/'],
  '@photostructure/sqlite': ['adapters/sqlite/'],
  'node:sqlite': ['adapters/sqlite/'],
  '@opentelemetry/': ['adapters/telemetry/', 'conformance/', 'bench/'],
  '@grpc/': ['conformance/'],
  '@modelcontextprotocol/server': ['adapters/mcp/'],
  '@modelcontextprotocol/client': ['conformance/mcp/'],
  'sonic-boom': ['adapters/telemetry/'],
  'prom-client': ['adapters/telemetry/'],
  '@hono/': ['adapters/', 'bench/'],
  hono: ['adapters/', 'bench/'],
  jsonld: ['projections/shared/', 'conformance/'],
  'fast-xml-parser': ['bench/'],
  undici: ['adapters/webhooks/', 'bench/'],
  tap: ['conformance/', 'engine/testing/'],
  'fast-check': ['conformance/', 'engine/testing/'],
}

/** A package is imported where it is at home, and the inner layers import next to none. */
export const packages: FileRule = (source) => {
  if (source.isTest) return []
  const diet = Object.keys(diets).findLast((prefix) => source.path.startsWith(prefix))
  return packageImports(source).flatMap(({ name, line }) => {
    if (diet !== undefined && !diets[diet]?.includes(name)) {
      return [violation(source, 'package', `${diet} must not import ${name}.`, line)]
    }
    const allowed = homesOf(name)
    if (allowed === undefined || allowed.some((folder) => source.path.startsWith(folder))) return []
    return [violation(source, 'package', `${name} is imported in ${allowed.join(' and ')} alone.`, line)]
  })
}

/** Any other package, except valibot, is imported in one folder only, so that it can be replaced there. */
export const oneFolder: TreeRule = (outlines) => {
  const first = new Map<string, string>()
  return outlines.flatMap((file) =>
    packageImports(file).flatMap(({ name, line }) => {
      if (file.isTest || isBuiltin(name) || name === 'valibot' || homesOf(name) !== undefined) return []
      const folder = folderOf(file.path)
      const other = first.get(name) ?? folder
      first.set(name, other)
      return other === folder ? [] : [violation(file, 'one-folder', `${name} is imported in ${other} already.`, line)]
    }),
  )
}

function packageImports(file: Pick<Outline, 'imports'>): readonly Named[] {
  return file.imports
    .filter(({ target }) => target === undefined)
    .map(({ specifier, line }) => ({ name: packageOf(specifier), line }))
}

/** `@scope/name` of `@scope/name/part`; a module of Node always with its `node:`. */
function packageOf(specifier: string): string {
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

function homesOf(name: string): readonly string[] | undefined {
  const key = Object.keys(homes).find((one) => name === one || (one.endsWith('/') && name.startsWith(one)))
  return key === undefined ? undefined : homes[key]
}

/** `adapters/rest` of `adapters/rest/routes.ts`, and `bench` of `bench/topics/ingest.ts`. */
function folderOf(path: string): string {
  const [top = '', next = '', ...rest] = path.split('/')
  return rest.length > 0 && ['engine', 'projections', 'adapters'].includes(top) ? `${top}/${next}` : top
}
