import { many } from './names.ts'
import { context } from './project.ts'
import type { Collection } from './schema.ts'

/**
 * The part of a document with the address `{root}/{path}`: the piece, one of its events, all of them, or what they link
 * to. A path may come with its escapes or without.
 */
export function resource(document: Collection, path: string): object | undefined {
  const collection = 'logistics-objects/piece/logistics-events'
  const root = document['@id'].slice(0, -collection.length)
  const wanted = path.replace(/\/$/, '')
  if (wanted === collection) return document
  const parts = [...many(document['@included']), ...many(document['api:hasItem'])]
  const uri = `${root}${wanted}`
  const part =
    parts.find((one) => one['@id'] === uri) ?? parts.find((one) => plain(one['@id'].slice(root.length)) === wanted)
  return part === undefined ? undefined : { '@context': context, ...part }
}

function plain(path: string): string {
  return path.includes('%') ? decodeURIComponent(path) : path
}
