import type { Projection, Target, Timeline } from '../../../engine/index.ts'
import { inParts, type Template } from './template.ts'

export { cached, cachedBytes, cachedPart, cachedWriter, clearCaches, type Identity, neverCached } from './cache.ts'
export { cachedMembers } from './cached-members.ts'
export { constant, filled, flag, json, number, type Prepared, plain, prepared, ready, text } from './leaves.ts'
export { each, list, only, several, some, someIfAny, streamedList } from './lists.ts'
export { either, type Members, object, objectIfAny, within } from './objects.ts'
export { digits, encodedUrl, hexDigest, joined, type Plain } from './plain.ts'
export type { Template } from './template.ts'
export { wrapped } from './wrapped.ts'

/** The members of a projection that make documents, from a template and the input of the template. */
export function documents<Input, Doc>(
  input: (timeline: Timeline, target: Target) => Input,
  template: Template<Input, Doc>,
): Pick<Projection<Doc>, 'project' | 'write' | 'pieces'> {
  const write = template.writer('')
  return {
    project: (timeline, target) => template.make(input(timeline, target)),
    write: (timeline, target) => write(input(timeline, target)),
    pieces: (timeline, target) => inParts(template, write, input(timeline, target)),
  }
}

/** The same members for a format that makes objects, which JSON.stringify writes. */
export function stringified<Doc>(
  project: Projection<Doc>['project'],
): Pick<Projection<Doc>, 'project' | 'write' | 'pieces'> {
  const write = (timeline: Timeline, target: Target) => JSON.stringify(project(timeline, target))
  return { project, write, pieces: (timeline, target) => [write(timeline, target)] }
}
