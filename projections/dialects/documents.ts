import { isObject, type Members, pathTo, type Reading } from '../../engine/index.ts'

/** What is read of each object of a list; what is no object is left out. */
export function listIn<Item>(path: string, list: unknown, read: (path: string, one: Members) => Item): readonly Item[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((one: unknown, index) => (isObject(one) ? [read(pathTo(path, index), one)] : []))
}

/** The refusal of a document, or a part of it, that is no object. */
export function refusedDocument(path: string, value: unknown): Reading {
  const received = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return { path, findings: [{ path, code: 'wrong_type', params: { expected: 'object', received } }] }
}
