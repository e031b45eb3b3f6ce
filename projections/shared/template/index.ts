import { atOnce, type Projection, type Target, type Timeline } from '../../../engine/index.ts'
import { inParts, madeInSteps, type Template } from './template.ts'

export { cached, cachedBytes, cachedPart, cachedWriter, clearCaches, type Identity, neverCached } from './cache.ts'
export { cachedMembers } from './cached-members.ts'
export { constant, filled, flag, json, number, type Prepared, plain, prepared, ready, text } from './leaves.ts'
export { each, list, only, several, some, someIfAny, streamedList } from './lists.ts'
export { either, type Members, object, objectIfAny, within } from './objects.ts'
export { digits, encodedUrl, escaped, hexDigest, joined, type Plain } from './plain.ts'
export type { Template } from './template.ts'
export { wrapped } from './wrapped.ts'

/** The members of a projection that make documents. */
/** How a format writes documents. */
export type Documents<Doc> = Pick<Projection<Doc>, 'project' | 'steps' | 'write' | 'pieces'>

/** The members of a projection that make documents, from a template and the input of the template. */
export function documents<Input, Doc>(
  input: (timeline: Timeline, target: Target) => Input,
  template: Template<Input, Doc>,
): Required<Documents<Doc>> {
  return documentsInSteps((timeline, target) => done(input(timeline, target)), template)
}

/** Work that needs no more steps. */
function* done<Result>(result: Result): Generator<void, Result> {
  yield* []
  return result
}

/** The same for an input that takes long to make. It is made in steps. */
export function documentsInSteps<Input, Doc>(
  input: (timeline: Timeline, target: Target) => Generator<void, Input>,
  template: Template<Input, Doc>,
): Required<Documents<Doc>> {
  const write = template.writer('')
  return {
    project: (timeline, target) => template.make(atOnce(input(timeline, target))),
    *steps(timeline, target) {
      return yield* madeInSteps(template, yield* input(timeline, target))
    },
    write: (timeline, target) => write(atOnce(input(timeline, target))),
    *pieces(timeline, target) {
      yield* inParts(template, write, yield* inEmptyPieces(input(timeline, target)))
    },
  }
}

/** The text of a document, from a template and its input, in pieces. */
export function piecesFrom<Input>(template: Template<Input, unknown>): (input: Input) => Iterable<string> {
  const write = template.writer('')
  return (input) => inParts(template, write, input)
}

/** The result of work; there is an empty piece of text for each step of it. */
export function* inEmptyPieces<Result>(work: Generator<void, Result>): Generator<string, Result> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value
    yield ''
  }
}

/** The same members for a format that makes objects, which JSON.stringify writes. */
export function stringified<Doc>(project: Projection<Doc>['project']): Documents<Doc> {
  const write = (timeline: Timeline, target: Target) => JSON.stringify(project(timeline, target))
  return { project, write, pieces: (timeline, target) => [write(timeline, target)] }
}
