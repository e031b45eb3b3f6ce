import { many } from './names.ts'
import { context } from './project.ts'
import type { Collection } from './schema.ts'

/**
 * The part of a document at `{root}/{path}`: the piece, the list of events, one event, or an object that an event links
 * to. The path can be percent-encoded or decoded.
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
