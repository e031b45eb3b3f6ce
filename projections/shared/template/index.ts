import type { Projection, Target, Timeline } from '../../../engine/index.ts'
import { inParts, type Template } from './template.ts'

export { around } from './around.ts'
export { constant, filled, flag, json, number, type Prepared, plain, prepared, ready, text } from './leaves.ts'
export { each, list, longList, only, several, some, someOrNone } from './lists.ts'
export { either, type Members, object, objectIfAny, within } from './objects.ts'
export { digits, encodedUrl, hexDigest, joined, type Plain } from './plain.ts'
export { type Likeness, recurring, recurringText, rememberedBytes, remembering, unalike } from './recurring.ts'
export type { Template } from './template.ts'
export { together } from './together.ts'

/** The half of a projection that makes documents: `given` is all that the template is filled with. */
export function documents<Given, Doc>(
  given: (timeline: Timeline, target: Target) => Given,
  template: Template<Given, Doc>,
): Pick<Projection<Doc>, 'project' | 'write' | 'pieces'> {
  const write = template.writer('')
  return {
    project: (timeline, target) => template.make(given(timeline, target)),
    write: (timeline, target) => write(given(timeline, target)),
    pieces: (timeline, target) => inParts(template, write, given(timeline, target)),
  }
}

/** The same of a format whose documents are made as objects, and then written. */
export function stringified<Doc>(
  project: Projection<Doc>['project'],
): Pick<Projection<Doc>, 'project' | 'write' | 'pieces'> {
  const write = (timeline: Timeline, target: Target) => JSON.stringify(project(timeline, target))
  return { project, write, pieces: (timeline, target) => [write(timeline, target)] }
}
